package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connecting to a listener whose backlog is full: the kernel answers nothing. */
@Setup.Each
class BlackHoleTest extends NetworkTest {
    private final List<Socket> crowd = new ArrayList<>();
    private final ServerSocket busy;
    private final InetSocketAddress address;

    BlackHoleTest(Setup setup) throws IOException {
        super(setup);
        busy = new ServerSocket(0, 1, LOOPBACK.getAddress());
        address = (InetSocketAddress) busy.getLocalSocketAddress();
    }

    @BeforeEach
    void fillTheBacklog() throws IOException {
        for (int i = 0; i < 2; i++) { // The kernel queues one more than asked and then leaves others waiting.
            crowd.add(new Socket(address.getAddress(), address.getPort()));
        }
    }

    @AfterEach
    void leave() throws IOException {
        busy.close();
        for (Socket socket : crowd) {
            socket.close();
        }
    }

    @Test
    void aTimeoutEndsTheConnect() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> TcpStream.connect(address, Duration.ofMillis(20)))
                    .withMessage("connect 127.0.0.1:" + address.getPort() + ": timed out after 20 ms");
        });
    }

    @Test
    void aTimeoutEndsTheConnectOfAnotherThread() {
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(
                        () -> TcpStream.builder().timeout(Duration.ofMillis(20)).connect(skein, address));
    }

    @Test
    void aCancelEndsTheConnect() throws Exception {
        Coroutine<TcpStream> connector =
                skein.spawn("connector", () -> TcpStream.connect(address, Duration.ofMinutes(10)));
        Await.untilWaiting(connector);

        connector.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(connector::join);
    }

    @Test
    void aConnectThatIsAnsweredInTimeIsAStreamLikeAnyOther() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            skein.blockOn(() -> {
                try (TcpStream client = TcpStream.connect(server.address(), Duration.ofMinutes(10))) {
                    send(client, "hello");
                    assertThat(receive(client, 5)).isEqualTo("hello");
                }
            });
        }
    }
}
