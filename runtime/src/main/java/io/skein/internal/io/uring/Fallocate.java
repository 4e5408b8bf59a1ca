package io.skein.internal.io.uring;

/** Makes room for a part of a file on its device. */
final class Fallocate extends FileOperation {
    private final long position;
    private final long length;

    Fallocate(UringFile file, long position, long length) {
        super(file);
        this.position = position;
        this.length = length;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_FALLOCATE)
                .fd(fd())
                .offset(position)
                .buffer(length, 0); // its mode is where lengths are
    }
}
