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
                    Time.sleep(Duration.ofMillis(1)); // a turn of the worker, in which that goes out
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
