package io.skein.internal.io.uring;

import io.skein.internal.io.Gate;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** A listening socket on a ring. One coroutine accepts at a time; close may come from anywhere. */
final class UringListener extends Gate implements ListenerSocket {
    private final UringBackend backend;
    private final Submitter submitter;
    private final int fd;
    private final InetSocketAddress localAddress;
    private final Accept accept;

    UringListener(UringBackend backend, Submitter submitter, int fd, InetSocketAddress localAddress) {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.fd = fd;
        this.localAddress = localAddress;
        this.accept = new Accept(fd);
        opened();
    }

    @Override
    public StreamSocket accept() throws IOException {
        enterRead("accept", this);
        try {
            int result = accept.perform(submitter);
            while (Errno.isPassingAcceptFailure(result)) { // that peer has gone; the next may be there
                result = accept.perform(submitter);
            }
            if (result >= 0) {
                InetSocketAddress local =
                        localAddress.getAddress().isAnyLocalAddress() ? backend.localAddress(result) : localAddress;
                return new UringStream(backend, submitter, result, local, accept.peer());
            }
            if (isClosed()) {
                throw new SocketException("accept " + this + ": closed by another thread");
            }
            throw Errno.exception("accept", this, -result);
        } finally {
            leaveRead();
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    protected void evict() {
        Libc.shutdown(fd, Libc.SHUT_RDWR); // a listening socket that is shut down fails its accepts
    }

    @Override
    protected void release() {
        Close.close(submitter, fd);
        accept.free();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress);
    }
}
