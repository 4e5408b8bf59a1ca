package io.skein.internal.io.uring;

import java.nio.file.Path;

/** Makes a symbolic link. */
final class SymlinkAt extends PathOperation {
    SymlinkAt(Path link, Path target) {
        super(bytes(target), bytes(link), 0);
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SYMLINKAT).fd(AT_FDCWD).buffer(first(), 0).offset(second());
    }
}
