package io.skein.internal.io.uring;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.Gate;
import io.skein.internal.io.Submitter;
import io.skein.internal.io.Tunable;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Set;

/** What the sockets on a ring have in common: a descriptor, an address, options. Thread safety is the {@link Gate}'s. */
abstract class UringSocket extends Gate implements Tunable {
    final UringBackend backend;
    final Submitter submitter;
    final int fd;
    private volatile SocketAddress localAddress;

    /** Whether the kernel may have been told to linger when the descriptor is given back. */
    private volatile boolean lingers;

    UringSocket(UringBackend backend, Submitter submitter, int fd, SocketAddress localAddress) {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.fd = fd;
        this.localAddress = localAddress;
    }

    public SocketAddress localAddress() {
        return localAddress;
    }

    /** Notes an address that the socket has got. */
    final void localAddress(SocketAddress changed) {
        localAddress = changed;
    }

    final void shutdown(int side) throws IOException {
        enterBriefly("shutdown", this);
        try {
            int result = Libc.shutdown(fd, side);
            if (result < 0 && !Errno.ENOTCONN.is(result)) {
                throw Errno.exception("shutdown", this, -result);
            }
        } finally {
            leaveBriefly();
        }
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        enterBriefly("set option", this);
        try {
            KernelOption.set(fd, isIpv6(), supportedOptions(), option, value);
            if (option == StandardSocketOptions.SO_LINGER) {
                lingers = true;
            }
        } finally {
            leaveBriefly();
        }
    }

    final boolean lingers() {
        return lingers;
    }

    /** Notes that the socket was made with an option to linger. */
    final void lingering() {
        lingers = true;
    }

    /** A close that lingers would block the worker. So the kernel sends what is left while nobody waits, or drops it if told so. */
    final void lingerNoMore() {
        if (lingers) {
            KernelOption.SO_LINGER.lingerNoMore(fd);
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        enterBriefly("get option", this);
        try {
            return KernelOption.get(fd, isIpv6(), supportedOptions(), option);
        } finally {
            leaveBriefly();
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return KernelOption.of(localAddress);
    }

    final boolean isIpv6() {
        return SocketAddresses.family(localAddress) == Libc.AF_INET6;
    }

    /** The exception for an operation that ended with a negative result. */
    final IOException exception(String operation, Object subject, int result, long timeoutNanos) {
        if (isClosed()) {
            return new SocketException(operation + " " + this + ": closed by another thread");
        }
        return Errno.ETIME.is(result)
                ? Deadline.exception(operation, subject, timeoutNanos)
                : Errno.exception(operation, subject, -result);
    }
}
