package io.skein.internal.io.uring;

import java.nio.file.Path;

/** Makes a directory. */
final class MkdirAt extends PathOperation {
    /** What it may be used for, before the process's mask. */
    private static final int PERMISSIONS = 0x1ff; // rwxrwxrwx

    MkdirAt(Path path) {
        super(bytes(path), none(), 0);
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_MKDIRAT).fd(AT_FDCWD).buffer(first(), PERMISSIONS);
    }
}
