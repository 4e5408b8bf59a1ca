package io.skein.internal.io.uring;

/** Waits until a file is on its device. */
final class Fsync extends FileOperation {
    private final boolean metadata;

    Fsync(UringFile file, boolean metadata) {
        super(file);
        this.metadata = metadata;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_FSYNC).fd(fd()).operationFlags(metadata ? 0 : Abi.IORING_FSYNC_DATASYNC);
    }
}
