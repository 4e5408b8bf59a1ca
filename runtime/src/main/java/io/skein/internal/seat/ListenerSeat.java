package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is below a {@link java.net.ServerSocket}: a listener, once it is bound. Any thread may call it; those who accept do so one
 * after the other.
 *
 * <p>{@code closed} is set before the listener is looked for, and the listener is published before {@code closed} is looked at:
 * so one of the two closes it.
 */
final class ListenerSeat extends Seat {
    private final ReentrantLock accepting = new ReentrantLock();
    private volatile @Nullable TcpListener listener;
    private volatile boolean closed;

    ListenerSeat(Scheduler scheduler) {
        super(scheduler, SeatOptions.ofListener());
    }

    @Override
    protected void listen(int backlog) throws IOException {
        InetSocketAddress here = bound();
        TcpListener.Builder builder =
                TcpListener.builder().backlog(Math.max(1, backlog)).acceptTimeout(timeout());
        options.forEach((option, value) -> add(builder, option, value));
        TcpListener bound = Guests.open(
                scheduler,
                "bind",
                () -> builder.bind(scheduler.skein(), here != null ? here : new InetSocketAddress(0)));
        address = bound.localAddress().getAddress();
        localport = bound.localAddress().getPort();
        listener = bound;
        if (closed) {
            bound.close();
            throw new SocketException("bind: closed by another thread");
        }
    }

    private static <T> void add(TcpListener.Builder builder, SocketOption<T> option, Object value) {
        builder.option(option, option.type().cast(value));
    }

    @Override
    protected void accept(SocketImpl target) throws IOException {
        TcpListener open = listener;
        if (open == null || !(target instanceof StreamSeat seat)) {
            throw new SocketException("accept: not bound, or not for a socket of Skein");
        }
        TcpStream accepted;
        accepting.lock();
        try {
            accepted = Guests.open(scheduler, "accept", () -> open.accept());
        } finally {
            accepting.unlock();
        }
        seat.take(accepted);
    }

    @Override
    protected void close() {
        closed = true;
        TcpListener open = listener;
        if (open != null) {
            open.close();
        }
    }

    // Options.

    @Override
    @Nullable
    TcpListener open() {
        return listener;
    }

    @Override
    boolean isClosed() {
        return closed;
    }

    @Override
    void timeoutChanged(Duration timeout) {
        TcpListener open = listener;
        if (open != null) {
            open.acceptTimeout(timeout);
        }
    }

    // A connection's part.

    private static SocketException listens(String operation) {
        return new SocketException(operation + ": this is a socket that listens");
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        throw listens("connect");
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
        throw listens("connect");
    }

    @Override
    protected void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
        throw listens("connect");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        throw listens("read");
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        throw listens("write");
    }

    @Override
    protected int available() throws IOException {
        throw listens("available");
    }
}
