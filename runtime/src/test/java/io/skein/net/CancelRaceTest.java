package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Rounds;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * An interrupt and the event that an operation waits for come at the same time, in either order. Whatever wins, no byte, no
 * connection and no descriptor is lost.
 */
@Setup.OnePerDriver
class CancelRaceTest extends NetworkTest {
    private static final int FEW = Rounds.of(3_000);
    private static final int MANY = 100_000;

    private final SplittableRandom random = new SplittableRandom(5);

    CancelRaceTest(Setup setup) {
        super(setup);
    }

    /** What ends an operation. */
    @FunctionalInterface
    private interface Event {
        void happen() throws IOException;
    }

    /** Lets an event happen and interrupts the victim about when it does. */
    private void collide(Coroutine<?> victim, Event event) throws IOException {
        boolean interruptFirst = random.nextInt(4) == 0;
        if (interruptFirst) {
            victim.thread().interrupt();
            spin();
        }
        event.happen();
        if (!interruptFirst) {
            spin();
            victim.thread().interrupt();
        }
    }

    private void spin() {
        for (int spins = random.nextInt(1500); spins > 0; spins--) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aReceiveLosesNoByte() throws Exception {
        raceReceive(FEW);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void aReceiveLosesNoByteInAHundredThousandRounds() throws Exception {
        raceReceive(MANY);
    }

    private void raceReceive(int rounds) throws Exception {
        for (int room : new int[] {100, 100_000}) { // by a receive that stays armed, and by receives of its own
            try (PlainPair pair = plainPair()) {
                Coroutine<?> reader = skein.spawn("reader", () -> {
                    ByteBuffer target = ByteBuffer.allocateDirect(room);
                    for (int received = 0; received < rounds; received += target.limit()) {
                        try {
                            pair.stream().read(target.clear());
                        } catch (InterruptedIOException e) {
                            assertThat(target.position()).isZero();
                        }
                        Thread.interrupted();
                        Pattern.check(target.flip(), received);
                    }
                });
                OutputStream out = pair.peer().getOutputStream();
                ByteBuffer next = ByteBuffer.allocate(1);
                for (int round = 0; round < rounds; round++) {
                    Pattern.fill(next.clear(), round);
                    collide(reader, () -> out.write(next.array()));
                }
                reader.join();
            }
        }
    }

    @Test
    void anAcceptLosesNoConnection() throws Exception {
        raceAccept(FEW);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void anAcceptLosesNoConnectionInAHundredThousandRounds() throws Exception {
        raceAccept(MANY);
    }

    private void raceAccept(int rounds) throws Exception {
        Semaphore accepted = new Semaphore(0);
        try (TcpListener listener = listen()) {
            Coroutine<?> acceptor = skein.spawn("acceptor", () -> {
                for (int count = 0; count < rounds; ) {
                    try (TcpStream stream = listener.accept()) {
                        assertThat(stream.remoteAddress()).isNotNull();
                        count++;
                        accepted.release();
                    } catch (InterruptedIOException e) {
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    }
                    Thread.interrupted();
                }
            });
            InetSocketAddress address = listener.localAddress();
            for (int round = 0; round < rounds; round++) {
                try (Socket client = new Socket()) {
                    client.setSoLinger(true, 0); // so that no port is kept
                    collide(acceptor, () -> client.connect(address));
                    assertThat(accepted.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                }
            }
            acceptor.join();
        }
    }

    @Test
    void aConnectLosesNoDescriptor() throws Exception {
        raceConnect(FEW);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void aConnectLosesNoDescriptorInAHundredThousandRounds() throws Exception {
        raceConnect(MANY);
    }

    @SuppressWarnings("try") // Closing early is the point.
    private void raceConnect(int rounds) throws Exception {
        AtomicInteger connected = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 100, LOOPBACK.getAddress())) {
            InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
            Thread peer = Thread.ofPlatform().start(() -> acceptAll(server));
            Semaphore begun = new Semaphore(0);
            Coroutine<?> connector = skein.spawn("connector", () -> {
                for (int round = 0; round < rounds; round++) {
                    begun.release();
                    try (TcpStream stream = TcpStream.connect(address)) {
                        assertThat(stream.remoteAddress()).isEqualTo(address);
                        connected.incrementAndGet();
                    } catch (InterruptedIOException e) {
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    }
                    Thread.interrupted();
                }
            });
            for (int round = 0; round < rounds; round++) {
                assertThat(begun.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                collide(connector, () -> {});
            }
            connector.join();
            server.close();
            peer.join();
        }
        assertThat(connected.get()).as("some were connected, some not").isBetween(1, rounds - 1);
    }

    private static void acceptAll(ServerSocket server) {
        try {
            while (true) {
                bury(server.accept());
            }
        } catch (IOException closed) {
            return;
        }
    }

    /** Waits for the peer's end, and then ends in such a way that the kernel keeps no port. */
    private static void bury(Socket socket) throws IOException {
        try (socket) {
            socket.setSoLinger(true, 0);
            socket.getInputStream().read();
        } catch (SocketException reset) {
            socket.close();
        }
    }

    @Test
    void aSendLosesNoByte() throws Exception {
        raceSend(FEW);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void aSendLosesNoByteInAHundredThousandRounds() throws Exception {
        raceSend(MANY);
    }

    private void raceSend(int rounds) throws Exception {
        int chunk = 2000;
        int total = rounds * chunk;
        try (PlainPair pair = plainPair(narrowSocket())) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                ByteBuffer source = ByteBuffer.allocateDirect(100_000);
                for (int sent = 0; sent < total; ) {
                    source.clear().limit(Math.min(source.capacity(), total - sent));
                    Pattern.fill(source, sent);
                    source.flip();
                    sent += source.limit();
                    while (source.hasRemaining()) {
                        try {
                            pair.stream().write(source);
                        } catch (InterruptedIOException e) {
                            assertThat(Thread.currentThread().isInterrupted()).isTrue();
                        }
                        Thread.interrupted();
                    }
                }
            });
            InputStream in = pair.peer().getInputStream();
            byte[] part = new byte[chunk];
            for (int round = 0; round < rounds; round++) {
                int offset = round * chunk;
                collide(writer, () -> {
                    assertThat(in.readNBytes(part, 0, chunk)).isEqualTo(chunk);
                    Pattern.check(ByteBuffer.wrap(part), offset);
                });
            }
            writer.join();
        }
    }

    private static Socket narrowSocket() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        return socket;
    }

    @Test
    void anInterruptAfterTheEndOfAReadIsForTheNextOne() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("hello");
            skein.blockOn(() -> {
                assertThat(receive(pair.stream(), 5)).isEqualTo("hello");
                Thread.currentThread().interrupt();
                pair.peerSends("world");
                try {
                    pair.stream().read(ByteBuffer.allocate(5));
                    throw new AssertionError("not interrupted");
                } catch (InterruptedIOException e) {
                    assertThat(Thread.interrupted()).isTrue();
                }
                assertThat(receive(pair.stream(), 5)).isEqualTo("world");
            });
        }
    }
}
