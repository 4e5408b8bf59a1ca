package io.skein.internal.io.uring;

/** Moves bytes between a file and a pipe inside the kernel; {@link Abi#NO_OFFSET} is a pipe's position. */
final class Splice extends FileOperation {
    private final int from;
    private final long fromPosition;
    private final int to;
    private final long toPosition;
    private final int length;

    Splice(UringFile file, int from, long fromPosition, int to, long toPosition, int length) {
        super(file);
        this.from = from;
        this.fromPosition = fromPosition;
        this.to = to;
        this.toPosition = toPosition;
        this.length = length;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SPLICE)
                .spliceFrom(from)
                .buffer(fromPosition, length)
                .fd(to)
                .offset(toPosition);
    }
}
