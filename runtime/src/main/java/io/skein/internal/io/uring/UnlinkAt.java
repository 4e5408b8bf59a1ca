package io.skein.internal.io.uring;

import java.nio.file.Path;

/** Removes a name: of a directory or of anything else. */
final class UnlinkAt extends PathOperation {
    private static final int AT_REMOVEDIR = 0x200;

    private final boolean directory;

    UnlinkAt(Path path, boolean directory) {
        super(bytes(path), none(), 0);
        this.directory = directory;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_UNLINKAT).fd(AT_FDCWD).buffer(first(), 0).operationFlags(directory ? AT_REMOVEDIR : 0);
    }
}
