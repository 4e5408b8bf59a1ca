package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Rounds;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Interrupts at thousands of random moments: whatever they hit, no byte, connection or descriptor is lost. */
@Setup.Each
class InterruptStormTest extends NetworkTest {
    private static final int INTERRUPTS = Rounds.of(3000);
    private static final int TOTAL = 8 << 20;

    InterruptStormTest(Setup setup) {
        super(setup);
    }

    @Test
    void aReaderUnderFireReadsEveryByteOnceAndInOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            AtomicInteger hits = new AtomicInteger();
            AtomicBoolean ceasefire = new AtomicBoolean();
            Coroutine<Long> reader = skein.spawn("reader", () -> {
                SplittableRandom random = new SplittableRandom(1);
                ByteBuffer heap = ByteBuffer.allocate(20_000);
                ByteBuffer direct = ByteBuffer.allocateDirect(20_000);
                long received = 0;
                while (received < TOTAL) {
                    ByteBuffer target = (random.nextBoolean() ? heap : direct).clear();
                    try {
                        pair.stream().read(target.limit(1 + random.nextInt(20_000)));
                    } catch (InterruptedIOException e) {
                        hits.incrementAndGet();
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    }
                    Thread.interrupted();
                    Pattern.check(target.flip(), received);
                    received += target.limit();
                }
                return received;
            });

            Thread shooter = Thread.ofPlatform().name("shooter").start(() -> {
                fireAt(reader);
                ceasefire.set(true);
            });
            for (int sent = 0; sent < TOTAL; sent += TOTAL / 8) {
                int before = hits.get(); // Before each part the reader is hit while it waits.
                Await.until("a read is interrupted", () -> hits.get() > before || ceasefire.get());
                sendPattern(pair.peer(), sent, TOTAL / 8);
            }

            assertThat(reader.join()).isEqualTo(TOTAL);
            assertThat(hits).as("reads that were interrupted").hasPositiveValue();
            shooter.join();
        }
    }

    @Test
    void aWriterUnderFireWritesEveryByteOnceAndInOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                SplittableRandom random = new SplittableRandom(2);
                ByteBuffer heap = ByteBuffer.allocate(1 << 20);
                ByteBuffer direct = ByteBuffer.allocateDirect(1 << 20);
                long sent = 0;
                while (sent < TOTAL) {
                    ByteBuffer source = (random.nextBoolean() ? heap : direct).clear();
                    source.limit((int) Math.min(TOTAL - sent, 1 + random.nextInt(1 << 20)));
                    Pattern.fill(source, sent);
                    sent += source.flip().limit();
                    writeUnderFire(pair.stream(), source);
                }
            });
            Thread shooter = Thread.ofPlatform().name("shooter").start(() -> fireAt(writer));

            checkPattern(pair.peer());

            writer.join();
            shooter.join();
        }
    }

    @Test
    void anAcceptorUnderFireAcceptsEveryConnection() throws Exception {
        int connections = 300;
        try (TcpListener listener = listen()) {
            Coroutine<?> acceptor = skein.spawn("acceptor", () -> {
                int accepted = 0;
                while (accepted < connections) {
                    try (TcpStream stream = listener.accept()) {
                        Thread.interrupted();
                        accepted++;
                        writeUnderFire(stream, bytes("!"));
                    } catch (InterruptedIOException e) {
                        Thread.interrupted();
                    }
                }
            });
            Thread shooter = Thread.ofPlatform().name("shooter").start(() -> fireAt(acceptor));

            for (int i = 0; i < connections; i++) {
                try (Socket client = new Socket(
                        listener.localAddress().getAddress(),
                        listener.localAddress().getPort())) {
                    assertThat(client.getInputStream().read()).isEqualTo('!');
                }
            }

            acceptor.join();
            shooter.join();
        }
    }

    @Test
    void aConnectorUnderFireLeavesNoDescriptorBehind() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            Coroutine<?> connector = skein.spawn("connector", () -> {
                int connected = 0;
                while (connected < 300) {
                    try (TcpStream stream = TcpStream.connect(server.address())) {
                        assertThat(stream.remoteAddress()).isEqualTo(server.address());
                        connected++;
                    } catch (InterruptedIOException e) {
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    }
                    Thread.interrupted();
                }
            });

            fireAt(connector);

            connector.join();
        }
    }

    /** Writes all of {@code source}, going on after each interrupt from where the buffer says it stopped. */
    private static void writeUnderFire(TcpStream stream, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            try {
                stream.write(source);
            } catch (InterruptedIOException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
            Thread.interrupted();
        }
    }

    private static void fireAt(Coroutine<?> target) {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < INTERRUPTS && !target.isDone(); i++) {
            target.thread().interrupt();
            pause(random);
        }
    }

    private static void pause(SplittableRandom random) {
        for (int spin = random.nextInt(2000); spin > 0; spin--) {
            Thread.onSpinWait();
        }
    }

    private static void sendPattern(Socket socket, int start, int length) throws IOException {
        OutputStream out = socket.getOutputStream();
        SplittableRandom random = new SplittableRandom(start);
        byte[] chunk = new byte[16 << 10];
        for (int sent = start; sent < start + length; sent += chunk.length) {
            Pattern.fill(ByteBuffer.wrap(chunk), sent);
            out.write(chunk);
            pause(random);
        }
    }

    private static void checkPattern(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] chunk = new byte[16 << 10];
        for (int received = 0; received < TOTAL; received += chunk.length) {
            assertThat(in.readNBytes(chunk, 0, chunk.length)).isEqualTo(chunk.length);
            Pattern.check(ByteBuffer.wrap(chunk), received);
        }
    }
}
