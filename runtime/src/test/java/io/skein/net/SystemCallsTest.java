package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.DriverKind;
import io.skein.LeakCheck;
import io.skein.Metrics;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.internal.linux.Libc;
import io.skein.internal.loom.Loom;
import io.skein.time.Time;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server asks of the kernel in the steady state. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class SystemCallsTest {
    private static final int CLIENTS = 100;
    private static final int ROUNDS = 100;

    /** Of a write that is not small. */
    private static final int LARGE = 8192;

    /** So many writes go out at once before a worker turns to others. */
    private static final int CALLS_IN_A_ROW = 16;

    @Test
    void aServerUnderLoadEntersTheKernelOnceATurnAtMostAndMakesNoOtherCall() throws Exception {
        assumeTrue(Loom.available(), "coroutines elsewhere than their driver have to wake it");
        List<SocketChannel> clients = new ArrayList<>();
        try (Skein skein = new Setup(DriverKind.URING, 1, 0).builder().start();
                EchoServer server = EchoServer.start(skein, NetworkTest.LOOPBACK)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(SocketChannel.open(server.address()));
            }
            exchange(clients, 10);
            Metrics.Worker before = skein.metrics().workers().getFirst();
            long callsBefore = Libc.calls();

            exchange(clients, ROUNDS);

            long calls = Libc.calls() - callsBefore;
            Metrics.Worker after = skein.metrics().workers().getFirst();
            long enters = after.enters() - before.enters();
            assertThat(calls).as("other system calls").isZero();
            assertThat(enters).as("enters").isPositive().isLessThanOrEqualTo(after.turns() - before.turns() + 1);
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    @ParameterizedTest(name = "direct: {0}")
    @ValueSource(booleans = {true, false})
    void aSmallMessageNeedsNoMoreEntriesOfARingWhenItIsReadIntoALargeBuffer(boolean direct) throws Exception {
        assumeTrue(Loom.available(), "coroutines elsewhere than their driver have to wake it");
        long small = entriesFor(direct, 2048);
        long large = entriesFor(direct, 16 * 1024);

        assertThat(large).as("entries").isLessThanOrEqualTo(small + ROUNDS / 10);
    }

    /** How many entries the kernel is given while a server echoes messages that it reads into a buffer of a size. */
    private static long entriesFor(boolean direct, int size) throws IOException {
        EchoServer.Handler echo = stream -> {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            while (stream.read(buffer) >= 0) {
                stream.write(buffer.flip());
                buffer.clear();
            }
        };
        try (Skein skein = new Setup(DriverKind.URING, 1, 0).builder().start();
                EchoServer server = EchoServer.start(skein, NetworkTest.LOOPBACK, echo);
                SocketChannel client = SocketChannel.open(server.address())) {
            exchange(List.of(client), 10);
            long before = entriesOfRings();

            exchange(List.of(client), ROUNDS);

            return entriesOfRings() - before;
        }
    }

    /** How many entries this process has given to its rings, as the kernel tells. */
    private static long entriesOfRings() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                if (isRing(descriptor)) {
                    sum += Files.readAllLines(Path.of("/proc/self/fdinfo").resolve(descriptor.getFileName())).stream()
                            .filter(line -> line.startsWith("SqTail:"))
                            .mapToLong(line -> Long.parseLong(
                                    line.substring(line.indexOf(':') + 1).trim()))
                            .sum();
                }
            }
        }
        return sum;
    }

    private static boolean isRing(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("[io_uring]");
        } catch (NoSuchFileException e) { // that of the directory itself, or of another thread
            return false;
        }
    }

    @ParameterizedTest(name = "direct: {0}")
    @ValueSource(booleans = {true, false})
    void aLoneWritersLargeWritesAreACallEachUntilOthersAreToGetTheirTurn(boolean direct) throws Exception {
        assumeTrue(Loom.available(), "coroutines elsewhere than their driver have to wake it");
        ByteBuffer large = direct ? ByteBuffer.allocateDirect(LARGE) : ByteBuffer.allocate(LARGE);
        try (Skein skein = new Setup(DriverKind.URING, 1, 0).builder().start();
                SocketChannel reader = SocketChannel.open();
                TcpListener listener = TcpListener.bind(skein, NetworkTest.LOOPBACK)) {
            reader.setOption(StandardSocketOptions.SO_RCVBUF, 4 * CALLS_IN_A_ROW * LARGE);
            reader.connect(listener.localAddress());
            skein.blockOn(() -> {
                try (TcpStream writer = listener.accept()) {
                    writer.setOption(StandardSocketOptions.SO_SNDBUF, 4 * CALLS_IN_A_ROW * LARGE);
                    writer.write(ByteBuffer.wrap(new byte[] {1}));
                    for (int i = 0; i < 3; i++) { // turns of the worker: that goes out, it completes, nothing is left
                        Time.sleep(Duration.ofMillis(1));
                    }
                    long enters = skein.metrics().workers().getFirst().enters();
                    long calls = Libc.calls();
                    for (int i = 1; i <= CALLS_IN_A_ROW; i++) {
                        writer.write(large.clear());
                        assertThat(large.hasRemaining()).isFalse();
                        assertThat(Libc.calls() - calls).as("calls").isEqualTo(i);
                    }
                    assertThat(skein.metrics().workers().getFirst().enters()).isEqualTo(enters);

                    writer.write(large.clear());

                    assertThat(Libc.calls() - calls).as("calls").isEqualTo(CALLS_IN_A_ROW);
                    assertThat(skein.metrics().workers().getFirst().enters()).isGreaterThan(enters);
                }
                return null;
            });
        }
    }

    private static void exchange(List<SocketChannel> clients, int rounds) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(100);
        for (int round = 0; round < rounds; round++) {
            for (SocketChannel client : clients) {
                client.write(message.clear());
            }
            for (SocketChannel client : clients) {
                message.clear();
                while (message.hasRemaining()) {
                    client.read(message);
                }
            }
        }
    }
}
