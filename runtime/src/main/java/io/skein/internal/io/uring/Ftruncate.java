package io.skein.internal.io.uring;

/** Sets the size of a file. */
final class Ftruncate extends FileOperation {
    private final long size;

    Ftruncate(UringFile file, long size) {
        super(file);
        this.size = size;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_FTRUNCATE).fd(fd()).offset(size);
    }
}
