package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@Setup.Each
class InterruptTest extends NetworkTest {
    InterruptTest(Setup setup) {
        super(setup);
    }

    /** Expects an I/O call to be interrupted, and the interrupt status to stay set; clears it then. */
    private static void expectInterrupt(ThrowingCallable call) {
        assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(call);
        assertThat(Thread.interrupted()).as("interrupt status").isTrue();
    }

    @Test
    void anInterruptedReaderThrowsAndItsStatusStaysSet() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                expectInterrupt(() -> pair.server().read(ByteBuffer.allocate(10)));
            });
            Await.untilWaiting(reader);

            reader.thread().interrupt();

            reader.join();
        }
    }

    @Test
    void afterAnInterruptedReadAnotherCoroutineReadsEveryByte() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                expectInterrupt(() -> pair.server().read(ByteBuffer.allocate(10)));
            });
            Await.untilWaiting(reader);
            reader.thread().interrupt();
            reader.join();

            skein.blockOn(() -> send(pair.client(), "hello"));

            assertThat(skein.blockOn(() -> receive(pair.server(), 5))).isEqualTo("hello");
        }
    }

    @Test
    void anInterruptedReadLeavesTheBufferAsItWas() throws Exception {
        try (Pair pair = pair()) {
            ByteBuffer target = ByteBuffer.allocateDirect(10).position(2).limit(9);
            Coroutine<?> reader = skein.spawn("reader", () -> {
                expectInterrupt(() -> pair.server().read(target));
            });
            Await.untilWaiting(reader);
            reader.thread().interrupt();
            reader.join();

            skein.blockOn(() -> send(pair.client(), "hello"));
            assertThat(skein.blockOn(() -> receive(pair.server(), 5))).isEqualTo("hello");

            assertThat(target.position()).isEqualTo(2);
            assertThat(target.limit()).isEqualTo(9);
            assertThat(target.clear()).isEqualTo(ByteBuffer.allocate(10));
        }
    }

    @Test
    void whoIsInterruptedBeforeItReadsDoesNotWait() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                Thread.currentThread().interrupt();

                expectInterrupt(() -> pair.server().read(ByteBuffer.allocate(10)));
            });
        }
    }

    @Test
    void bytesThatArrivedBeforeTheInterruptAreDeliveredNowOrToTheNextReader() throws Exception {
        try (PlainPair pair = plainPair()) {
            for (int round = 0; round < 200; round++) {
                Coroutine<String> reader = skein.spawn("reader", () -> {
                    try {
                        return receive(pair.stream(), 5);
                    } catch (InterruptedIOException e) {
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                        return "";
                    }
                });
                Await.untilWaiting(reader);

                skein.blockOn(() -> {
                    pair.peerSends("hello");
                    reader.thread().interrupt();
                });

                String now = reader.join();
                String later = skein.blockOn(() -> receive(pair.stream(), 5 - now.length()));
                assertThat(now + later).isEqualTo("hello");
            }
        }
    }

    @Test
    void anInterruptedAcceptorThrowsAndItsStatusStaysSet() throws Exception {
        try (TcpListener listener = listen()) {
            Coroutine<?> acceptor = skein.spawn("acceptor", () -> expectInterrupt(listener::accept));
            Await.untilWaiting(acceptor);

            acceptor.thread().interrupt();

            acceptor.join();
        }
    }

    @Test
    void afterAnInterruptedAcceptTheNextConnectionIsAccepted() throws Exception {
        try (TcpListener listener = listen()) {
            Coroutine<?> acceptor = skein.spawn("acceptor", () -> expectInterrupt(listener::accept));
            Await.untilWaiting(acceptor);
            acceptor.thread().interrupt();
            acceptor.join();

            try (TcpStream client = TcpStream.connect(skein, listener.localAddress());
                    TcpStream server = skein.blockOn(listener::accept)) {
                send(client, "hello");
                assertThat(receive(server, 5)).isEqualTo("hello");
            }
        }
    }

    @Test
    void anInterruptedWriterThrowsAndWhatItSentIsWhatTheBufferSays() throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(64 << 20);
        try (Pair pair = pair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                expectInterrupt(() -> pair.server().write(source));
                pair.server().close();
            });
            Await.untilWaiting(writer);

            writer.thread().interrupt();
            writer.join();

            long received = skein.blockOn(() -> {
                ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
                long total = 0;
                for (int count = 0; count >= 0; count = pair.client().read(target.clear())) {
                    total += count;
                }
                return total;
            });
            assertThat(received).isEqualTo(source.position());
        }
    }

    @Test
    void anInterruptedConnectorThrowsAndLeavesNoDescriptor() throws Exception {
        List<Socket> crowd = new ArrayList<>();
        try (ServerSocket busy = new ServerSocket(0, 1, LOOPBACK.getAddress())) {
            InetSocketAddress address = (InetSocketAddress) busy.getLocalSocketAddress();
            for (int i = 0; i < 2; i++) { // The kernel queues one more than asked and then leaves others waiting.
                crowd.add(new Socket(address.getAddress(), address.getPort()));
            }
            Coroutine<?> connector = skein.spawn("connector", () -> expectInterrupt(() -> TcpStream.connect(address)));
            Await.untilWaiting(connector);

            connector.thread().interrupt();

            connector.join();
        } finally {
            for (Socket socket : crowd) {
                socket.close();
            }
        }
    }

    @Test
    void cancellingACoroutineThatReadsEndsItAsCancelled() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<Integer> reader =
                    skein.spawn("reader", () -> pair.server().read(ByteBuffer.allocate(1)));
            Await.untilWaiting(reader);

            reader.cancel(true);

            assertThatExceptionOfType(CancellationException.class).isThrownBy(reader::join);
        }
    }

    @Test
    void cancellingACoroutineThatAcceptsEndsItAsCancelled() throws Exception {
        try (TcpListener listener = listen()) {
            Coroutine<TcpStream> acceptor = skein.spawn("acceptor", listener::accept);
            Await.untilWaiting(acceptor);

            acceptor.cancel(true);

            assertThatExceptionOfType(CancellationException.class).isThrownBy(acceptor::join);
        }
    }

    @Test
    void aCancelledCoroutineStillClosesItsStream() throws Exception {
        try (PlainPair pair = plainPair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                try (TcpStream stream = pair.stream()) {
                    stream.read(ByteBuffer.allocate(1));
                }
            });
            Await.untilWaiting(reader);

            reader.cancel(true);

            assertThat(pair.peer().getInputStream().read())
                    .as("the peer sees the end")
                    .isEqualTo(-1);
        }
    }
}
