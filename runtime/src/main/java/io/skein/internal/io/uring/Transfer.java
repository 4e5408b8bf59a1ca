package io.skein.internal.io.uring;

/** Reads or writes at a position of a file, from one buffer or from a vector of them: the opcode says which. */
final class Transfer extends FileOperation {
    private byte opcode;
    private long address;
    private int length;
    private long position;

    Transfer(UringFile file) {
        super(file);
    }

    /**
     * What the next run does.
     *
     * @param length the buffer's bytes, or the vector's entries
     */
    Transfer prepare(byte opcode, long address, int length, long position) {
        this.opcode = opcode;
        this.address = address;
        this.length = length;
        this.position = position;
        return this;
    }

    @Override
    void fill(Sqe sqe) {
        sqe.opcode(opcode).fd(fd()).buffer(address, length).offset(position);
    }
}
