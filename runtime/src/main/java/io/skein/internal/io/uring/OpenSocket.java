package io.skein.internal.io.uring;

/** Makes a socket: its result is the descriptor. Linux 5.19. */
final class OpenSocket extends UringOperation {
    private final int domain;
    private final int type;
    private final int protocol;

    OpenSocket(int domain, int type, int protocol) {
        this.domain = domain;
        this.type = type;
        this.protocol = protocol;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SOCKET).fd(domain).offset(type).buffer(0, protocol);
    }
}
