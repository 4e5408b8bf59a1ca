package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.net.ConnectException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

@Setup.Each
class CloseListenerTest extends NetworkTest {
    CloseListenerTest(Setup setup) {
        super(setup);
    }

    @Test
    void acceptingAfterCloseSaysSo() throws Exception {
        TcpListener listener = listen();
        listener.close();

        skein.blockOn(() -> {
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(listener::accept)
                    .withMessageContaining("closed");
        });
    }

    @Test
    void closingAgainDoesNothing() throws Exception {
        TcpListener listener = listen();

        listener.close();
        listener.close();
    }

    @Test
    void aCoroutineThatAcceptsIsWokenByAnotherThatCloses() throws Exception {
        TcpListener listener = listen();
        Coroutine<?> acceptor = skein.spawn("acceptor", () -> {
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(listener::accept)
                    .withMessageContaining("closed");
        });
        Await.untilWaiting(acceptor);

        skein.blockOn(listener::close);

        acceptor.join();
    }

    @Test
    void aCoroutineThatAcceptsIsWokenByAPlatformThreadThatCloses() throws Exception {
        TcpListener listener = listen();
        Coroutine<?> acceptor = skein.spawn("acceptor", () -> {
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(listener::accept)
                    .withMessageContaining("closed");
        });
        Await.untilWaiting(acceptor);

        listener.close();

        acceptor.join();
    }

    @Test
    void aClosedListenerRefusesConnections() throws Exception {
        TcpListener listener = TcpListener.bind(skein, lastingAddress());
        Coroutine<?> acceptor = skein.spawn("acceptor", () -> {
            assertThatExceptionOfType(SocketException.class).isThrownBy(listener::accept);
        });
        Await.untilWaiting(acceptor);

        listener.close();
        acceptor.join();

        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> TcpStream.connect(skein, listener.localAddress()));
    }

    @Test
    void acceptedStreamsOutliveTheirListener() throws Exception {
        try (Pair pair = pair()) { // The listener of a pair is closed.
            send(pair.client(), "hello");

            assertThat(receive(pair.server(), 5)).isEqualTo("hello");
        }
    }

    @Test
    @SuppressWarnings("try") // Closing early is the point.
    void aConnectionThatNobodyAcceptedLeavesNoDescriptor() throws Exception {
        try (TcpListener listener = listen();
                TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
            listener.close();

            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> receive(client, 1))
                    .withMessageContaining("reset");
        }
    }

    @Test
    void whoClosesWhileConnectionsArriveLosesNoDescriptor() throws Exception {
        for (int round = 0; round < 100; round++) {
            TcpListener listener = listen();
            Coroutine<?> acceptor = skein.spawn("acceptor", () -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
                    while (true) {
                        listener.accept().close();
                    }
                });
            });
            Coroutine<?> clients = skein.spawn("clients", () -> {
                try {
                    for (int i = 0; i < 30; i++) { // No more than the kernel queues, or it lets them wait a second.
                        TcpStream.connect(listener.localAddress()).close();
                    }
                } catch (SocketException refusedOrReset) {
                    return;
                }
            });
            for (int spin = 0; spin < round * 100; spin++) {
                Thread.onSpinWait();
            }

            listener.close();

            acceptor.join();
            clients.join();
        }
    }
}
