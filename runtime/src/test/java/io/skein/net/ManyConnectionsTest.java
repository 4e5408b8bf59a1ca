package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

@Setup.Each
class ManyConnectionsTest extends NetworkTest {
    private static final int CONNECTIONS = 500;

    ManyConnectionsTest(Setup setup) {
        super(setup);
    }

    @Test
    void fiveHundredConnectionsEchoAtOnce() throws Exception {
        CountDownLatch connected = new CountDownLatch(CONNECTIONS);
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            List<Coroutine<?>> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                String message = "client %03d".formatted(i);
                clients.add(skein.spawn(message, () -> {
                    try (TcpStream stream = TcpStream.connect(server.address())) {
                        connected.countDown();
                        connected.await();
                        for (int turn = 0; turn < 10; turn++) {
                            send(stream, message);
                            assertThat(receive(stream, message.length())).isEqualTo(message);
                        }
                    }
                }));
            }

            for (Coroutine<?> client : clients) {
                client.join();
            }

            assertThat(server.accepted()).isEqualTo(CONNECTIONS);
        }
    }

    @Test
    void hundredsOfReadersAreCancelledAtOnce() throws Exception {
        CountDownLatch reading = new CountDownLatch(CONNECTIONS);
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            List<Coroutine<?>> readers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                readers.add(skein.spawn("reader " + i, () -> {
                    try (TcpStream stream = TcpStream.connect(server.address())) {
                        reading.countDown();
                        receive(stream, 1);
                    }
                }));
            }
            reading.await();

            skein.blockOn(() -> readers.forEach(reader -> reader.cancel(true)));

            skein.blockOn(() -> {
                try (TcpStream after = TcpStream.connect(server.address())) {
                    send(after, "hello");
                    assertThat(receive(after, 5)).isEqualTo("hello");
                }
            });
        }
    }
}
