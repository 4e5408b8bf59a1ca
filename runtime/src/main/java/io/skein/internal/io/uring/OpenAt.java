package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import java.nio.file.Path;

/** Opens a file: its result is the descriptor. */
final class OpenAt extends PathOperation {
    /** What a new file may be used for, before the process's mask. */
    private static final int PERMISSIONS = 0x1b6; // rw-rw-rw-

    private final int flags;

    /** Written by the driver's thread before the end. */
    private int result = -1;

    OpenAt(Path path, int flags) {
        super(bytes(path), none(), 0);
        this.flags = flags;
    }

    /** Opens; a wait that fails gives back what was opened meanwhile. */
    int open(Submitter submitter) {
        try {
            return performThrough(submitter);
        } catch (RuntimeException | Error e) {
            if (result >= 0) {
                Close.close(submitter, result);
            }
            throw e;
        }
    }

    @Override
    public void completed(UringDriver driver, int answer, int answerFlags, boolean isLast) {
        result = answer;
        super.completed(driver, answer, answerFlags, isLast);
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_OPENAT)
                .fd(AT_FDCWD)
                .buffer(first(), PERMISSIONS)
                .operationFlags(flags);
    }
}
