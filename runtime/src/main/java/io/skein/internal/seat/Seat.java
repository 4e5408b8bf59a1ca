package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import io.skein.net.NetworkSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a connected and a listening seat share: options by number and by name, and a place before there is a socket. */
abstract class Seat extends SocketImpl {
    final Scheduler scheduler;
    final SeatOptions options;

    private volatile int timeoutMillis;
    private volatile @Nullable InetSocketAddress bound;

    Seat(Scheduler scheduler, SeatOptions options) {
        this.scheduler = scheduler;
        this.options = options;
    }

    /** The socket that is there, or null before it connects or listens. */
    abstract @Nullable NetworkSocket open();

    abstract boolean isClosed();

    /** Hears of the timeout for what waits. */
    abstract void timeoutChanged(Duration timeout);

    final Duration timeout() {
        return Duration.ofMillis(timeoutMillis);
    }

    /** Where it is to be bound when it comes to be, or null. */
    final @Nullable InetSocketAddress bound() {
        return bound;
    }

    @Override
    protected final void create(boolean stream) throws IOException {
        if (!stream) {
            throw new SocketException("a socket for datagrams cannot be had here");
        }
    }

    /** Notes the address: it is bound when it connects or listens. */
    @Override
    protected final void bind(InetAddress host, int port) {
        bound = new InetSocketAddress(host, port);
        localport = port;
    }

    @Override
    public final void setOption(int number, Object value) throws SocketException {
        checkOpen("set option");
        if (number == java.net.SocketOptions.SO_TIMEOUT) {
            timeoutMillis = (Integer) value;
            timeoutChanged(timeout());
            return;
        }
        SocketOption<?> option = SeatOptions.numbered(number);
        try {
            setAny(option, SeatOptions.modern(option, value));
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw asSocketException(e);
        }
    }

    @Override
    public final Object getOption(int number) throws SocketException {
        checkOpen("get option");
        if (number == java.net.SocketOptions.SO_TIMEOUT) {
            return timeoutMillis;
        }
        if (number == java.net.SocketOptions.SO_BINDADDR) {
            NetworkSocket open = open();
            InetSocketAddress here = open != null ? (InetSocketAddress) open.localAddress() : bound;
            return here != null ? here.getAddress() : new InetSocketAddress(0).getAddress();
        }
        SocketOption<?> option = SeatOptions.numbered(number);
        try {
            return getOption(option);
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw asSocketException(e);
        }
    }

    /**
     * A socket that is closed has no options, and so no local address: {@link java.net.Socket} tells the wildcard
     * then.
     */
    final void checkOpen(String operation) throws SocketException {
        if (isClosed()) {
            throw new SocketException(operation + ": closed");
        }
    }

    private static SocketException asSocketException(IOException e) {
        SocketException failure = new SocketException(e.getMessage());
        failure.initCause(e);
        return failure;
    }

    @Override
    protected final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        checkOpen("set option");
        NetworkSocket open = open();
        if (open != null) {
            open.setOption(option, value);
        } else {
            options.want(option, value);
        }
    }

    private <T> void setAny(SocketOption<T> option, Object value) throws IOException {
        setOption(option, option.type().cast(value));
    }

    @Override
    protected final <T> T getOption(SocketOption<T> option) throws IOException {
        checkOpen("get option");
        NetworkSocket open = open();
        return open != null ? open.getOption(option) : option.type().cast(options.get(option));
    }

    @Override
    protected final Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    protected final boolean supportsUrgentData() {
        return false;
    }

    @Override
    protected final void sendUrgentData(int data) throws IOException {
        throw new SocketException("urgent data is not supported");
    }
}
