package io.skein.internal.io.uring;

import io.skein.internal.io.Advice;

/** Tells the kernel how a part of a file is going to be used. */
final class Fadvise extends FileOperation {
    private final long position;
    private final long length;
    private final Advice advice;

    Fadvise(UringFile file, long position, long length, Advice advice) {
        super(file);
        this.position = position;
        this.length = length;
        this.advice = advice;
    }

    /** Newer kernels take the length from the address field, older ones have 32 bits for it. */
    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_FADVISE)
                .fd(fd())
                .offset(position)
                .buffer(length, (int) Math.min(length, Integer.MAX_VALUE))
                .operationFlags(number(advice));
    }

    private static int number(Advice advice) {
        return switch (advice) {
            case NORMAL -> 0;
            case RANDOM -> 1;
            case SEQUENTIAL -> 2;
            case WILL_NEED -> 3;
            case DONT_NEED -> 4;
            case NO_REUSE -> 5;
        };
    }
}
