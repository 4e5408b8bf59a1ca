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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a server asks of the kernel in the steady state. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class SystemCallsTest {
    private static final int CLIENTS = 100;
    private static final int ROUNDS = 100;

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
