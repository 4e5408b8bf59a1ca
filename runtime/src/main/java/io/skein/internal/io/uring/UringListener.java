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

/** A listening socket on a ring. One coroutine accepts at a time; close may come from anywhere. */
final class UringListener extends UringSocket implements ListenerSocket {
    private final Accept accept;
    private final Shortage shortage = new Shortage(this, this::isClosed);

    UringListener(UringBackend backend, Submitter submitter, int fd, SocketAddress localAddress) {
        super(backend, submitter, fd, localAddress, KernelOption.of(localAddress));
        this.accept = new Accept(fd);
        opened();
    }

    @Override
    public StreamSocket accept(long timeoutNanos) throws IOException {
        enterRead("accept", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            int result = accept.perform(submitter, deadline);
            while (Errno.isPassingAcceptFailure(result) // that peer has gone; the next may be there
                    || (Shortage.isOne(result) && shortage.waitAMoment(Errno.describe(-result), deadline))) {
                result = accept.perform(submitter, deadline);
            }
            if (result < 0) {
                boolean late = Shortage.isOne(result) && Deadline.isPassed(deadline);
                throw exception("accept", this, late ? -Errno.ETIME.number() : result, timeoutNanos);
            }
            shortage.over();
            SocketAddress local = isAnyLocalAddress() ? backend.localAddress(result) : localAddress();
            UringStream stream = new UringStream(backend, submitter, result, local, accept.peer());
            if (lingers()) { // it inherits that
                stream.lingering();
            }
            return stream;
        } finally {
            leaveRead();
        }
    }

    private boolean isAnyLocalAddress() {
        return localAddress() instanceof InetSocketAddress internet
                && internet.getAddress().isAnyLocalAddress();
    }

    @Override
    protected void evict() {
        Libc.shutdown(fd, Libc.SHUT_RDWR); // a listening socket that is shut down fails its accepts
        boolean _ = shortage.resume();
    }

    @Override
    protected void release() {
        Close.close(submitter, fd);
        accept.free();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress());
    }
}
