package io.skein.internal.io.uring;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.Shortage;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket on a ring. One coroutine accepts at a time; close may come from anywhere. */
final class UringListener extends UringSocket implements ListenerSocket {
    private final Home home = new Home();
    private final @Nullable Reception reception;
    private final Accept accept;
    private final Shortage shortage = new Shortage(this, this::isClosed);

    UringListener(UringBackend backend, Submitter submitter, int fd, SocketAddress localAddress) {
        super(backend, submitter, fd, localAddress);
        this.reception = backend.standingAccepts() ? new Reception(fd) : null;
        this.accept = new Accept(fd, home, reception);
        opened();
    }

    @Override
    public StreamSocket accept(long timeoutNanos) throws IOException {
        enterRead("accept", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            UringStream stream = null;
            while (stream == null) {
                int result = accept.perform(submitter, deadline);
                if (result >= 0) {
                    stream = welcome(result);
                } else if (!Errno.isPassingAcceptFailure(result) // else that peer has gone; the next may be there
                        && !(Shortage.isOne(result) && shortage.waitAMoment(Errno.describe(-result), deadline))) {
                    boolean late = Shortage.isOne(result) && Deadline.isPassed(deadline);
                    throw exception("accept", this, late ? -Errno.ETIME.number() : result, timeoutNanos);
                }
            }
            return stream;
        } finally {
            leaveRead();
        }
    }

    /** A stream over an accepted descriptor, or null when its peer has gone already. What fails here gives the descriptor back. */
    private @Nullable UringStream welcome(int accepted) {
        shortage.over();
        UringStream stream;
        try {
            stream = stream(accepted);
        } catch (Throwable e) { // no memory
            Libc.close(accepted);
            throw e;
        }
        if (stream == null) {
            Libc.close(accepted);
        } else if (lingers()) { // it inherits that
            stream.lingering();
        }
        return stream;
    }

    private @Nullable UringStream stream(int accepted) {
        SocketAddress remote = SocketAddresses.peer(accepted);
        if (remote == null) {
            return null;
        }
        SocketAddress local = isAnyLocalAddress() ? SocketAddresses.local(accepted) : localAddress();
        return new UringStream(backend, submitter, accepted, local, remote);
    }

    private boolean isAnyLocalAddress() {
        return localAddress() instanceof InetSocketAddress internet
                && internet.getAddress().isAnyLocalAddress();
    }

    @Override
    protected void evictReader() {
        evict(); // which needs no coroutine, and may be done again
    }

    @Override
    protected void evict() {
        if (reception == null) {
            Libc.shutdownTersely(fd, Libc.SHUT_RDWR); // a listening socket that is shut down fails its accepts
        } else {
            reception.close();
            accept.cancelFromOutside();
        }
        boolean _ = shortage.resume();
    }

    @Override
    protected void release() {
        Reception standing = reception;
        if (standing == null) {
            Close.close(submitter, fd);
        } else {
            Libc.shutdownTersely(fd, Libc.SHUT_RDWR); // else the port is taken until the kernel has let the accept go
            Close.close(submitter, fd, home.lane(), standing::stop);
            standing.close();
        }
        accept.forgetDeadline();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress());
    }
}
