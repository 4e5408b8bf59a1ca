package io.skein.internal.io.uring;

/** Reads or writes at a position of a file, from one buffer or from a vector of them: the opcode says which. */
final class Transfer extends FileOperation {
    private final UringFile file;
    private byte opcode;
    private byte registeredOpcode;
    private long address;
    private int length;
    private long position;

    /** Whether the kernel knows the memory. Of the driver's thread. */
    private boolean registered;

    Transfer(UringFile file) {
        super(file);
        this.file = file;
    }

    /**
     * What the next run does.
     *
     * @param registeredOpcode the opcode for memory that the kernel knows; the same one if some of it is elsewhere
     * @param length the buffer's bytes, or the vector's entries
     */
    Transfer prepare(byte opcode, byte registeredOpcode, long address, int length, long position) {
        this.opcode = opcode;
        this.registeredOpcode = registeredOpcode;
        this.address = address;
        this.length = length;
        this.position = position;
        return this;
    }

    @Override
    void begin(UringDriver driver) {
        registered = registeredOpcode != opcode && driver.isRegistered(file.buffers(), address);
        super.begin(driver);
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(registered ? registeredOpcode : opcode)
                .fd(fd())
                .buffer(address, length)
                .offset(position);
    }
}
