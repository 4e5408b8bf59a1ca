package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A channel of the JDK's that is Skein's below: always blocking, and unknown to selectors. Any thread may use it; one reads and one
 * writes at a time, and others wait for their turn.
 *
 * <p>It is a view of a {@link Socket}, which keeps the state: bound, connected, shut down. Both are closed together, the channel
 * first. Interrupts are not left to the JDK's {@code begin} and {@code end}, by which whoever interrupts would close the channel,
 * be it a worker: the thread that waits hears of its interrupt and closes the channel itself.
 */
public final class SeatedSocketChannel extends SocketChannel {
    private final StreamSeat seat;
    private final ChannelSocket socket;
    private final ReentrantLock connecting = new ReentrantLock();

    public SeatedSocketChannel(Scheduler scheduler) throws SocketException {
        super(SelectorProvider.provider());
        this.seat = StreamSeat.ofChannel(scheduler);
        this.socket = new ChannelSocket(seat, this);
    }

    // Calls.

    /** Makes a call that may wait, and tells how it ended in the words of channels. */
    private <T> T call(Guests.Call<T> call) throws IOException {
        checkConnected();
        checkInterrupt();
        try {
            return call.make();
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw closedByInterrupt(e);
            }
            throw isOpen() ? e : because(new AsynchronousCloseException(), e);
        }
    }

    /** A thread that is interrupted already closes the channel, too. */
    private void checkInterrupt() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw closedByInterrupt(null);
        }
    }

    private IOException closedByInterrupt(@Nullable IOException cause) throws IOException {
        close();
        return because(new ClosedByInterruptException(), cause);
    }

    private static IOException because(IOException exception, @Nullable IOException cause) {
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }

    private void checkOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void checkConnected() throws ClosedChannelException {
        checkOpen();
        if (!socket.isConnected()) {
            throw new NotYetConnectedException();
        }
    }

    // Connecting.

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
        checkOpen();
        if (local != null) {
            checkAddress(local);
        }
        if (connecting.isLocked()) {
            throw new ConnectionPendingException();
        }
        if (socket.isBound()) {
            throw new AlreadyBoundException();
        }
        socket.bind(local);
        return this;
    }

    /** As the JDK's channels do, it leaves names to its caller. */
    private static void checkAddress(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (internet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        checkAddress(Objects.requireNonNull(remote, "remote"));
        checkOpen();
        checkInterrupt();
        if (!connecting.tryLock()) {
            throw new ConnectionPendingException();
        }
        try {
            if (socket.isConnected()) {
                throw new AlreadyConnectedException();
            }
            socket.connect(remote);
            return true;
        } catch (IOException e) { // which has closed the socket, and so the channel
            if (Thread.currentThread().isInterrupted()) {
                throw closedByInterrupt(e);
            }
            throw e instanceof ClosedMeanwhile ? because(new AsynchronousCloseException(), e) : e;
        } finally {
            connecting.unlock();
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        checkOpen();
        connecting.lock();
        try {
            checkOpen();
            if (!socket.isConnected()) {
                throw new NoConnectionPendingException();
            }
            return true;
        } finally {
            connecting.unlock();
        }
    }

    @Override
    public boolean isConnected() {
        return isOpen() && socket.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return isOpen() && connecting.isLocked();
    }

    // Bytes.

    @Override
    public int read(ByteBuffer target) throws IOException {
        checkWritable(target);
        return call(() -> seat.input().read(target));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        ByteBuffer[] chosen = Arrays.copyOfRange(targets, offset, offset + length);
        for (ByteBuffer target : chosen) {
            checkWritable(target);
        }
        return call(() -> seat.input().read(chosen));
    }

    private static void checkWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("read: the buffer is read-only");
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        ByteBuffer[] chosen = Arrays.copyOfRange(sources, offset, offset + length);
        return call(() -> {
            SeatOutput output = seat.output();
            if (output.isShutDown()) {
                throw new ClosedChannelException();
            }
            try {
                return output.write(chosen);
            } catch (SocketException e) {
                throw output.isShutDown() && isOpen() ? because(new AsynchronousCloseException(), e) : e;
            }
        });
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        checkConnected();
        if (!socket.isInputShutdown()) {
            socket.shutdownInput();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        checkConnected();
        if (!socket.isOutputShutdown()) {
            socket.shutdownOutput();
        }
        return this;
    }

    // What there is to know of it.

    @Override
    public Socket socket() {
        return socket;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        checkOpen();
        return socket.isBound() ? socket.getLocalSocketAddress() : null;
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        checkOpen();
        return socket.getRemoteSocketAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        checkOpen();
        socket.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        checkOpen();
        return socket.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return socket.supportedOptions();
    }

    // The end, and what it cannot be.

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        socket.closeWithChannel();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        if (!block) {
            throw new UnsupportedOperationException("a channel of Skein's always blocks, which costs its coroutine"
                    + " no thread: use a coroutine for each channel in place of a selector");
        }
    }

    @Override
    public String toString() {
        return "SeatedSocketChannel[" + (isOpen() ? socket.toString() : "closed") + "]";
    }
}
