package io.skein.internal.io.uring;

import java.nio.file.Path;

/** Gives a file one more name. */
final class LinkAt extends PathOperation {
    LinkAt(Path link, Path existing) {
        super(bytes(existing), bytes(link), 0);
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_LINKAT).fd(AT_FDCWD).buffer(first(), AT_FDCWD).offset(second());
    }
}
