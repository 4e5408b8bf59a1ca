package io.skein.internal.seat;

import io.skein.Coroutine;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.TimeLimit;
import io.skein.net.Dialer;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is below a {@link java.net.Socket}: a stream, once it is connected. Any thread may call it.
 *
 * <p>The state is under the monitor, which nobody holds while he waits: nothing, then {@code connecting}, then a {@code stream};
 * {@code closed} may come at any time and stays. A coroutine of the runtime connects by itself; for any other thread a coroutine of
 * its own does. Either is ended by a close. A stream that comes when the seat is closed is closed by who brings it.
 */
final class StreamSeat extends Seat {
    /** Ends the attempt to connect, if that is under way. */
    private @Nullable Runnable connecting;

    private volatile @Nullable TcpStream stream;
    private volatile boolean closed;

    /** Whether it is a channel's, whose interrupts end what any thread does with it. */
    private final boolean ofChannel;

    private volatile @Nullable SeatInput input;
    private volatile @Nullable SeatOutput output;

    private StreamSeat(Scheduler scheduler, boolean ofChannel) {
        super(scheduler, SeatOptions.ofStream());
        this.ofChannel = ofChannel;
        scheduler.countLibrarySocket();
    }

    static StreamSeat ofSocket(Scheduler scheduler) {
        return new StreamSeat(scheduler, false);
    }

    static StreamSeat ofChannel(Scheduler scheduler) {
        return new StreamSeat(scheduler, true);
    }

    // Connecting.

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(InetSocketAddress.createUnresolved(host, port), 0);
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
        if (!(endpoint instanceof InetSocketAddress target)) {
            throw new IllegalArgumentException("connect " + endpoint + ": not an Internet address");
        }
        String operation = "connect " + target.getHostString() + ":" + target.getPort();
        synchronized (this) {
            checkUnused(operation);
        }
        Guests.Call<TcpStream> dial = () -> dial(target, Duration.ofMillis(timeoutMillis));
        TcpStream connected;
        try {
            connected = scheduler.serves() ? connectHere(operation, dial) : connectElsewhere(operation, dial);
        } catch (IOException e) {
            throw closed ? new ClosedMeanwhile(operation, e) : asDocumented(e);
        }
        take(operation, connected);
    }

    /** A coroutine that is pinned can wait for nobody who would have to run on its worker. */
    private TcpStream connectHere(String operation, Guests.Call<TcpStream> dial) throws IOException {
        try {
            return TimeLimit.<TcpStream>callEndable(end -> {
                synchronized (this) {
                    checkUnused(operation);
                    connecting = end;
                }
                return dial.make();
            });
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(operation, e);
        } finally {
            synchronized (this) {
                if (connecting != null) {
                    connecting = StreamSeat::nothingToEnd; // and not null: a seat connects once
                }
            }
        }
    }

    private static void nothingToEnd() {}

    private TcpStream connectElsewhere(String operation, Guests.Call<TcpStream> dial) throws IOException {
        Coroutine<TcpStream> attempt;
        synchronized (this) {
            checkUnused(operation);
            attempt = Guests.startToOpen(scheduler, operation, dial);
            connecting = () -> attempt.cancel(true);
        }
        return Guests.await(operation, attempt, ofChannel || Guests.isInterruptible());
    }

    private void checkUnused(String operation) throws SocketException {
        checkOpen(operation);
        if (connecting != null) {
            throw new SocketException(operation + ": another thread is connecting");
        }
    }

    /** A virtual thread that is interrupted while it connects finds the socket closed. */
    private static IOException asDocumented(IOException failure) {
        boolean interrupted = failure instanceof InterruptedIOException
                && !(failure instanceof SocketTimeoutException)
                && Thread.currentThread().isInterrupted();
        if (!interrupted) {
            return failure;
        }
        SocketException closed = new SocketException("Closed by interrupt");
        closed.initCause(failure);
        return closed;
    }

    private TcpStream dial(InetSocketAddress target, Duration timeout) throws IOException {
        if (!target.isUnresolved()) {
            return builder().timeout(timeout).connect(target);
        }
        Dialer dialer = Dialer.standard().withOptions(_ -> builder());
        return (timeout.isZero() ? dialer : dialer.withTimeout(timeout))
                .connect(target.getHostString(), target.getPort());
    }

    private TcpStream.Builder builder() {
        TcpStream.Builder builder = TcpStream.builder().localAddress(bound());
        options.forEach((option, value) -> add(builder, option, value));
        return builder;
    }

    private static <T> void add(TcpStream.Builder builder, SocketOption<T> option, Object value) {
        builder.option(option, option.type().cast(value));
    }

    /** Takes a connection that a listener has accepted. */
    void take(TcpStream accepted) throws SocketException {
        take("accept", accepted);
    }

    private void take(String operation, TcpStream connected) throws SocketException {
        synchronized (this) {
            if (!closed) {
                address = connected.remoteAddress().getAddress();
                port = connected.remoteAddress().getPort();
                localport = connected.localAddress().getPort();
                input = new SeatInput(scheduler, connected, timeout());
                output = new SeatOutput(scheduler, connected);
                stream = connected;
                return;
            }
        }
        connected.close();
        throw new ClosedMeanwhile(operation, null);
    }

    // A connection.

    private <T> T connected(@Nullable T part, String operation) throws SocketException {
        checkOpen(operation);
        if (part == null) {
            throw new SocketException(operation + ": not connected");
        }
        return part;
    }

    SeatInput input() throws SocketException {
        return connected(input, "read");
    }

    SeatOutput output() throws SocketException {
        return connected(output, "write");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        return input();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return output();
    }

    @Override
    protected int available() throws IOException {
        return input().available();
    }

    @Override
    protected void shutdownInput() throws IOException {
        input().shutDown();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        output().shutDown();
    }

    @Override
    protected void close() {
        Runnable attempt;
        synchronized (this) {
            closed = true;
            attempt = connecting;
        }
        TcpStream open = stream;
        if (open != null) {
            open.close();
        } else if (attempt != null) {
            attempt.run();
        }
    }

    // Options.

    @Override
    @Nullable
    TcpStream open() {
        return stream;
    }

    @Override
    boolean isClosed() {
        return closed;
    }

    @Override
    void timeoutChanged(Duration timeout) {
        SeatInput reading = input;
        if (reading != null) {
            reading.timeout(timeout);
        }
    }

    // A listener's part.

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("listen: this is a socket that connects");
    }

    @Override
    protected void accept(SocketImpl target) throws IOException {
        throw new SocketException("accept: this is a socket that connects");
    }
}
