package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Setup;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The same calls from threads that are no coroutines: they block their thread. */
@Setup.Each
class PlatformThreadTest extends NetworkTest {
    PlatformThreadTest(Setup setup) {
        super(setup);
    }

    @Test
    void aPlatformThreadListensConnectsAcceptsReadsAndWrites() throws Exception {
        try (TcpListener listener = TcpListener.bind(skein, LOOPBACK);
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TcpStream server = listener.accept()) {
            for (int i = 0; i < 500; i++) {
                send(client, "question");
                assertThat(receive(server, 8)).isEqualTo("question");
                send(server, "answer");
                assertThat(receive(client, 6)).isEqualTo("answer");
            }
        }
    }

    @Test
    void aPlatformThreadThatReadsWaitsForItsBytes() throws Exception {
        AtomicReference<String> received = new AtomicReference<>();
        try (Pair pair = pair()) {
            Thread reader = Thread.ofPlatform().name("reader").start(() -> {
                try {
                    received.set(receive(pair.server(), 5));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Await.untilWaiting(reader);

            skein.blockOn(() -> send(pair.client(), "hello"));
            reader.join();

            assertThat(received).hasValue("hello");
        }
    }

    @Test
    void anInterruptedPlatformThreadThrowsAndItsStatusStaysSet() throws Exception {
        try (Pair pair = pair()) {
            Thread caller = Thread.currentThread();
            var interrupter = skein.spawn("interrupter", () -> {
                Await.untilWaiting(caller);
                caller.interrupt();
            });

            assertThatExceptionOfType(InterruptedIOException.class)
                    .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)));
            assertThat(Thread.interrupted()).isTrue();

            interrupter.join();
            send(pair.client(), "hello");
            assertThat(receive(pair.server(), 5)).isEqualTo("hello");
        }
    }

    @Test
    void aPlatformThreadThatReadsIsWokenByWhoCloses() throws Exception {
        try (Pair pair = pair()) {
            Thread caller = Thread.currentThread();
            var closer = skein.spawn("closer", () -> {
                Await.untilWaiting(caller);
                pair.server().close();
            });

            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                    .withMessageContaining("closed");

            closer.join();
        }
    }

    @Test
    void aVirtualThreadOfTheJdkReadsAndWritesToo() throws Exception {
        AtomicReference<String> received = new AtomicReference<>();
        try (Pair pair = pair()) {
            Thread thread = Thread.ofVirtual().start(() -> {
                try {
                    send(pair.client(), "hello");
                    received.set(receive(pair.server(), 5));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            thread.join();

            assertThat(received).hasValue("hello");
        }
    }

    @Test
    void aCoroutineOfAnotherRuntimeReadsAndWritesToo() throws Exception {
        try (Pair pair = pair();
                var other = setup.builder().start()) {
            String received = other.blockOn(() -> {
                send(pair.client(), "hello");
                return receive(pair.server(), 5);
            });

            assertThat(received).isEqualTo("hello");
        }
    }
}
