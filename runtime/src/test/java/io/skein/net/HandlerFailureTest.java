package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Setup;
import org.junit.jupiter.api.Test;

@Setup.Each
class HandlerFailureTest extends NetworkTest {
    private static final String BOMB = "bomb!";

    HandlerFailureTest(Setup setup) {
        super(setup);
    }

    @Test
    void aHandlerThatThrowsHurtsNeitherOtherConnectionsNorTheServer() throws Exception {
        expectUnheardFailures();
        try (EchoServer server = EchoServer.start(skein, LOOPBACK, HandlerFailureTest::echoOrExplode);
                TcpStream healthy = TcpStream.connect(skein, server.address())) {
            expectEcho(healthy);
            for (int i = 0; i < 20; i++) {
                try (TcpStream victim = TcpStream.connect(skein, server.address())) {
                    send(victim, BOMB);
                    assertThat(receive(victim, 1)).isEmpty();
                }
                expectEcho(healthy);
            }

            try (TcpStream late = TcpStream.connect(skein, server.address())) {
                expectEcho(late);
            }
        }
        Await.until("the failure handler heard of all", () -> unheardFailures.size() == 20);
        assertThat(unheardFailures).allMatch(failure -> failure instanceof IllegalStateException);
    }

    private static void expectEcho(TcpStream stream) throws Exception {
        send(stream, "hello");
        assertThat(receive(stream, 5)).isEqualTo("hello");
    }

    private static void echoOrExplode(TcpStream stream) throws Exception {
        while (true) {
            String message = receive(stream, 5);
            if (message.isEmpty()) {
                return;
            }
            if (message.equals(BOMB)) {
                throw new IllegalStateException("a bug in the handler");
            }
            send(stream, message);
        }
    }
}
