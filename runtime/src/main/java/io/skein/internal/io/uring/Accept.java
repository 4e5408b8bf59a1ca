package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;
import org.jspecify.annotations.Nullable;

/**
 * Accepts one connection; its result is the descriptor. It takes what the listener's {@link Reception} has brought, or where the
 * kernel has no such thing asks for one itself.
 */
final class Accept extends UringOperation {
    private final int fd;
    private final Home home;
    private final @Nullable Reception reception;

    Accept(int fd, Home home, @Nullable Reception reception) {
        this.fd = fd;
        this.home = home;
        this.reception = reception;
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        return reception == null ? submitter.lane() : home.settle(submitter);
    }

    @Override
    void begin(UringDriver driver) {
        if (reception == null) {
            driver.submit(this);
        } else {
            reception.take(this, driver);
        }
    }

    @Override
    void cancel(UringDriver driver) {
        if (reception == null) {
            driver.submitCancel(this);
        } else {
            reception.abandon(this);
        }
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_ACCEPT).fd(fd).operationFlags(Libc.SOCK_CLOEXEC);
    }
}
