package io.skein.internal.io.uring;

import java.nio.file.Path;

/** Opens a file: its result is the descriptor. */
final class OpenAt extends PathOperation {
    /** What a new file may be used for, before the process's mask. */
    private static final int PERMISSIONS = 0x1b6; // rw-rw-rw-

    private final int flags;

    OpenAt(Path path, int flags) {
        super(bytes(path), none(), 0);
        this.flags = flags;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_OPENAT)
                .fd(AT_FDCWD)
                .buffer(first(), PERMISSIONS)
                .operationFlags(flags);
    }
}
