package io.skein.internal.io.uring;

import java.nio.file.Path;

/** Gives a file another name. */
final class RenameAt extends PathOperation {
    private static final int RENAME_NOREPLACE = 1;

    private final boolean replace;

    RenameAt(Path from, Path to, boolean replace) {
        super(bytes(from), bytes(to), 0);
        this.replace = replace;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_RENAMEAT)
                .fd(AT_FDCWD)
                .buffer(first(), AT_FDCWD)
                .offset(second())
                .operationFlags(replace ? 0 : RENAME_NOREPLACE);
    }
}
