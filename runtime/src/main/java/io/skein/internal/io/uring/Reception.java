package io.skein.internal.io.uring;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The connections that come to one listener: an accept that stays armed, and the descriptors that it has brought and nobody
 * has taken yet.
 *
 * <p>It is armed on the driver of the listener's {@link Home}, when somebody waits and no descriptor does, and everything happens on
 * that driver's thread; only {@link #close} may come from another. It is stopped when {@value #MOST_WAITING}
 * descriptors wait, so that further connections stay in the kernel's backlog, and when the listener is closed. An error ends
 * it: whoever waits gets that, and the next to come arms it again. No descriptor is lost: each is taken, or waits, or is
 * closed; one that comes after the close is seen by the close or sees it.
 */
final class Reception implements Request {
    /** So many connections may wait before the kernel is asked to stop. */
    private static final int MOST_WAITING = 16;

    private final int fd;
    private final Queue<Integer> waiting = new ConcurrentLinkedQueue<>();
    private long userData;
    private int count;
    private boolean armed;
    private boolean stopping;
    private @Nullable Accept acceptor;
    private @Nullable UringDriver driver;
    private volatile boolean closed;

    Reception(int fd) {
        this.fd = fd;
    }

    @Override
    public long userData() {
        return userData;
    }

    @Override
    public void userData(long given) {
        userData = given;
    }

    /** Gives an acceptor the connection that has waited longest, or lets it wait. */
    void take(Accept accept, UringDriver here) {
        driver = here;
        Integer first = waiting.poll();
        if (first != null) {
            count--;
            accept.complete(first, 0);
        } else if (closed) {
            accept.complete(-Errno.ECANCELED.number(), 0);
        } else {
            arm(here);
            acceptor = accept;
        }
    }

    /** Lets an acceptor go that waits no more. Who comes later waits for the next. */
    void abandon(Accept accept) {
        if (acceptor == accept) {
            acceptor = null;
            accept.complete(-Errno.ECANCELED.number(), 0);
        }
    }

    private void arm(UringDriver here) {
        if (!armed) {
            here.submit(this);
            armed = true;
            stopping = false;
        }
    }

    /** Stops the accept, until somebody waits again. */
    void stop() {
        UringDriver here = driver;
        if (here != null && here.withdraw(this)) {
            armed = false; // the kernel has not seen it
        } else if (here != null && armed && !stopping) {
            here.submitCancel(this);
            stopping = true;
        }
    }

    /** Turns away who has come and was not taken, and who is still to come. */
    void close() {
        closed = true;
        for (Integer left = waiting.poll(); left != null; left = waiting.poll()) {
            Libc.close(left);
        }
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_ACCEPT)
                .fd(fd)
                .priority(Abi.IORING_ACCEPT_MULTISHOT)
                .operationFlags(Libc.SOCK_CLOEXEC);
    }

    @Override
    public void completed(UringDriver here, int result, int flags, boolean isLast) {
        if (isLast) {
            armed = false;
        }
        Accept waiter = acceptor;
        if (result >= 0 && waiter != null) {
            acceptor = null;
            waiter.complete(result, 0);
        } else if (result >= 0) {
            keep(result);
        } else if (waiter != null && !Errno.ECANCELED.is(result)) {
            acceptor = null;
            waiter.complete(result, 0);
        }
        if (isLast && acceptor != null) { // who waits came after it had been stopped
            armAgain(here);
        }
    }

    private void armAgain(UringDriver here) {
        try {
            arm(here);
        } catch (Throwable e) { // no memory
            Accept waiter = acceptor;
            acceptor = null;
            if (waiter != null) {
                waiter.complete(-Errno.ENOMEM.number(), 0);
            }
        }
    }

    /** Keeps a connection that has come, or turns it away if there is no memory. */
    private void keep(int descriptor) {
        try {
            waiting.add(descriptor);
        } catch (Throwable e) {
            Libc.close(descriptor);
            return;
        }
        if (closed) {
            close();
        } else if (++count >= MOST_WAITING) {
            tryToStop();
        }
    }

    private void tryToStop() {
        try {
            stop();
        } catch (Throwable e) {
            // No memory. The next to come tries again.
        }
    }
}
