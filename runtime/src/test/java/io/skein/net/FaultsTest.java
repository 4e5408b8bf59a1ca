package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that break off, trickle, or come all at once. */
@Setup.OnePerDriver
class FaultsTest extends NetworkTest {
    /** How long one side waits for the other before it gives up. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    FaultsTest(Setup setup) {
        super(setup);
    }

    @Test
    void aResetInTheMiddleOfAReadIsTold() throws Exception {
        for (int size : new int[] {10, 100_000}) {
            try (PlainPair pair = plainPair()) {
                Coroutine<?> reader = skein.spawn("reader", () -> {
                    assertThatExceptionOfType(SocketException.class)
                            .isThrownBy(() -> pair.stream().read(ByteBuffer.allocateDirect(size)))
                            .withMessageMatching("read 127.0.0.1:\\d+: connection reset.*");
                });
                Await.untilWaiting(reader);

                pair.peerResets();

                reader.join();
            }
        }
    }

    @Test
    void aResetInTheMiddleOfAWriteIsTold() throws Exception {
        try (PlainPair pair = plainPair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> {
                            while (true) { // what the kernel has taken before it knew is a success
                                pair.stream().write(ByteBuffer.allocateDirect(64 << 20));
                            }
                        })
                        .withMessageStartingWith("write 127.0.0.1:");
            });
            Await.untilWaiting(writer);

            pair.peerResets();

            writer.join();
        }
    }

    @Test
    void aPeerThatSendsOneByteAtATimeIsReadToTheEnd() throws Exception {
        String text = "a trickle of bytes";
        try (PlainPair pair = plainPair()) {
            pair.peer().setTcpNoDelay(true);
            Semaphore read = new Semaphore(1);
            Coroutine<String> reader = skein.spawn("reader", () -> {
                StringBuilder all = new StringBuilder();
                ByteBuffer target = ByteBuffer.allocate(100);
                while (pair.stream().read(target.clear()) >= 0) {
                    assertThat(target.position()).isEqualTo(1);
                    all.append((char) target.get(0));
                    read.release();
                }
                return all.toString();
            });
            for (String letter : text.split("", -1)) {
                read.acquire();
                pair.peerSends(letter);
            }
            pair.peer().shutdownOutput();
            assertThat(reader.join()).isEqualTo(text);
        }
    }

    @Test
    void aCrowdThatConnectsAtOnceIsServedThroughASmallBacklog() throws Exception {
        connectAtOnce(100);
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void aCrowdOfTenThousandIsServedThroughASmallBacklog() throws Exception {
        connectAtOnce(10_000);
    }

    /**
     * The kernel drops what the backlog has no room for. It would try again by itself, each time after a longer while; clients
     * with timeouts are sooner done.
     */
    private void connectAtOnce(int clients) throws Exception {
        Semaphore open = new Semaphore(2000); // descriptors are few
        TcpListener listener = TcpListener.builder().backlog(16).bind(skein, LOOPBACK);
        try (EchoServer server = EchoServer.start(skein, listener, FaultsTest::echoWhatComes)) {
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(skein.spawn("client", () -> {
                    open.acquire();
                    try {
                        while (!isServed(server.address())) {}
                    } finally {
                        open.release();
                    }
                }));
            }
            for (Coroutine<?> client : all) {
                client.join();
            }
        }
    }

    /** Where the backlog is full the kernel drops the end of a client that gave up, too, and sends it again after longer and longer whiles. */
    private static void echoWhatComes(TcpStream stream) {
        try {
            stream.readTimeout(PATIENCE);
            send(stream, receive(stream, 5));
        } catch (SocketException | SocketTimeoutException gaveUp) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isServed(InetSocketAddress address) throws IOException {
        try (TcpStream client = TcpStream.connect(address, Duration.ofSeconds(1))) {
            client.readTimeout(PATIENCE);
            send(client, "hello");
            assertThat(receive(client, 5)).isEqualTo("hello");
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
