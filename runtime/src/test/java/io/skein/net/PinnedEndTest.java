package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Action;
import io.skein.Coroutine;
import io.skein.DriverMode;
import io.skein.DriverModeTest;
import io.skein.PinnedBy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ends a read or a connect ends it in a pinned coroutine too. */
@DriverMode.Each
class PinnedEndTest extends DriverModeTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    PinnedEndTest(DriverMode mode) {
        super(mode);
    }

    /** A stream and a socket of the runtime whose peers say nothing. */
    private record Idle(ServerSocket listener, TcpStream stream, Socket socket) implements AutoCloseable {
        int readStream() throws IOException {
            return stream.read(ByteBuffer.allocate(1));
        }

        int readSocket() throws IOException {
            return socket.getInputStream().read();
        }

        @Override
        public void close() throws IOException {
            stream.close();
            socket.close();
            listener.close();
        }
    }

    private Idle idle() throws IOException {
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
        InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
        return new Idle(
                listener,
                TcpStream.connect(skein, address),
                skein.socketFactory().createSocket(address.getAddress(), address.getPort()));
    }

    /** Lets a pinned coroutine do something that waits; returns when it waits. */
    private Coroutine<?> waiting(PinnedBy pinnedBy, Action action) {
        Coroutine<?> pinned = skein.spawnOn(0, () -> pinnedBy.run(action));
        PinnedBy.awaitWait(pinned);
        return pinned;
    }

    private static void expectEnd(Coroutine<?> coroutine) throws Exception {
        coroutine.get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void aCancelEndsAReadOfAStream(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            Coroutine<?> reader = waiting(pinnedBy, idle::readStream);

            reader.cancel(true);

            assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> expectEnd(reader));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCancelEndsAReadOfASocket(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            Coroutine<?> reader = waiting(pinnedBy, idle::readSocket);

            reader.cancel(true);

            assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> expectEnd(reader));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsAReadOfAStreamAndStaysSet(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            Coroutine<?> reader = waiting(pinnedBy, () -> {
                assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(idle::readStream);
                assertThat(Thread.interrupted()).as("interrupt status").isTrue();
            });

            reader.thread().interrupt();

            expectEnd(reader);
        }
    }

    /** The JDK documents that it closes the socket. */
    @ParameterizedTest
    @EnumSource
    void anInterruptEndsAReadOfASocketAndStaysSet(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            Coroutine<?> reader = waiting(pinnedBy, () -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(idle::readSocket);
                assertThat(Thread.interrupted()).as("interrupt status").isTrue();
            });

            reader.thread().interrupt();

            expectEnd(reader);
            assertThat(idle.socket().isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCloseByAnotherThreadEndsAReadOfAStream(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            Coroutine<?> reader = waiting(pinnedBy, () -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(idle::readStream);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });

            idle.stream().close();

            expectEnd(reader);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCloseByAnotherThreadEndsAReadOfASocket(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            Coroutine<?> reader = waiting(pinnedBy, () -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(idle::readSocket);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });

            idle.socket().close();

            expectEnd(reader);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReadTimeoutPasses(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            idle.stream().readTimeout(SHORT);
            idle.socket().setSoTimeout((int) SHORT.toMillis());

            expectEnd(skein.spawnOn(
                    0,
                    () -> pinnedBy.run(() -> {
                        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(idle::readStream);
                        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(idle::readSocket);
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    })));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shutdownNowEndsARead(PinnedBy pinnedBy) throws Exception {
        try (Idle idle = idle()) {
            Coroutine<?> reader = waiting(pinnedBy, () -> {
                assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(idle::readStream);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            });

            assertThat(skein.shutdownNow(Duration.ofSeconds(20))).isTrue();

            assertThat(reader.isDone()).isTrue();
        }
        expectUnheardFailures(); // whether it counts as failed is not asked here
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("try") // Closing early is the point.
    void aCloseByAnotherThreadEndsAConnect(PinnedBy pinnedBy) throws Exception {
        try (FullBacklog full = FullBacklog.open();
                Socket socket = skein.socketFactory().createSocket()) {
            Coroutine<?> connector = waiting(pinnedBy, () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> socket.connect(full.address()))
                        .withMessageContaining("closed");
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });

            socket.close();

            expectEnd(connector);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTimeoutEndsAConnect(PinnedBy pinnedBy) throws Exception {
        try (FullBacklog full = FullBacklog.open();
                Socket socket = skein.socketFactory().createSocket()) {
            expectEnd(skein.spawnOn(
                    0,
                    () -> pinnedBy.run(() -> {
                        assertThatExceptionOfType(SocketTimeoutException.class)
                                .isThrownBy(() -> socket.connect(full.address(), (int) SHORT.toMillis()));
                        assertThatExceptionOfType(SocketTimeoutException.class)
                                .isThrownBy(() -> TcpStream.connect(full.address(), SHORT));
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    })));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsAConnectAndStaysSet(PinnedBy pinnedBy) throws Exception {
        try (FullBacklog full = FullBacklog.open();
                Socket socket = skein.socketFactory().createSocket()) {
            Coroutine<?> connector = waiting(pinnedBy, () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> socket.connect(full.address()))
                        .withMessage("Closed by interrupt");
                assertThat(Thread.interrupted()).as("interrupt status").isTrue();
            });

            connector.thread().interrupt();

            expectEnd(connector);
            assertThat(socket.isClosed()).isTrue();
        }
    }
}
