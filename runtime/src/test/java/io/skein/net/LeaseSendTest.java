package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Coroutine;
import io.skein.Dispatch;
import io.skein.Rounds;
import io.skein.Scheduling;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.internal.io.Loan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Leases that are passed on, kept, or given back late. */
@Setup.Each
class LeaseSendTest extends NetworkTest {
    /** More than a driver has buffers to receive into. */
    private static final int MANY_LEASES = 200;

    private static final int LARGEST = 64 * 1024;

    LeaseSendTest(Setup setup) {
        super(setup);
    }

    private static String text(Lease lease) {
        return StandardCharsets.UTF_8.decode(lease.bytes().duplicate()).toString();
    }

    private static void passOn(TcpStream from, TcpStream to) throws IOException {
        Lease lease = from.receive();
        for (; !lease.isEnd(); lease = from.receive()) {
            to.send(lease);
        }
        to.send(lease);
        to.shutdownOutput();
    }

    /** Sends messages of random sizes, and expects them back; the stream's output is shut down then. */
    private static void converse(TcpStream stream, int messages) throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        ByteBuffer source = ByteBuffer.allocateDirect(LARGEST);
        ByteBuffer target = ByteBuffer.allocateDirect(LARGEST);
        long offset = 0;
        for (int i = 0; i < messages; i++) {
            int size = random.nextInt(2) == 0 ? random.nextInt(1, 200) : random.nextInt(1, LARGEST + 1);
            Pattern.fill(source.clear().limit(size), offset);
            stream.write(source.flip());
            target.clear().limit(size);
            while (target.hasRemaining()) {
                assertThat(stream.read(target)).isPositive();
            }
            Pattern.check(target.flip(), offset);
            offset += size;
        }
        stream.shutdownOutput();
        assertThat(stream.read(target.clear())).isEqualTo(-1);
    }

    @Test
    void anEchoOfLeasesIsByteForByteWhatWasSent() throws Exception {
        expectEcho(skein);
    }

    @Test
    void pinnedCoroutinesEchoLeasesToo() throws Exception {
        try (Skein pinned = setup.builder().scheduling(Scheduling.PINNED).start()) {
            expectEcho(pinned);
        }
    }

    private static void expectEcho(Skein runtime) throws Exception {
        try (TcpListener listener = TcpListener.bind(runtime, LOOPBACK);
                TcpStream client = TcpStream.connect(runtime, listener.localAddress());
                TcpStream server = listener.accept()) {
            Coroutine<?> echo = runtime.spawn("echo", () -> passOn(server, server));
            runtime.blockOn(() -> converse(client, 100));
            echo.join();
        }
    }

    @Test
    void aProxyPassesLeasesOnBetweenConnectionsOfDifferentWorkers() throws Exception {
        int last = skein.workers() - 1;
        try (Pair outer = pair();
                Pair inner = pair()) {
            skein.spawn(
                            Dispatch.to(last),
                            () -> { // their home is another worker than that of who passes on
                                send(inner.client(), "a");
                                assertThat(receive(inner.server(), 1)).isEqualTo("a");
                                send(inner.server(), "b");
                                assertThat(receive(inner.client(), 1)).isEqualTo("b");
                            })
                    .join();
            List<Coroutine<?>> parts = List.of(
                    skein.spawn(Dispatch.to(0), () -> passOn(outer.server(), inner.client())),
                    skein.spawn(Dispatch.to(0), () -> passOn(inner.client(), outer.server())),
                    skein.spawn(Dispatch.to(last), () -> passOn(inner.server(), inner.server())));
            skein.blockOn(() -> converse(outer.client(), 100));
            for (Coroutine<?> part : parts) {
                part.join();
            }
        }
    }

    @Test
    void writesAndSendsGoOutInTheirOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                for (int round = 0; round < 50; round++) {
                    pair.peerSends("lease");
                    Lease lease = pair.stream().receive();
                    send(pair.stream(), "before,");
                    pair.stream().send(lease);
                    pair.stream().write(bytes(",after"), bytes(","));
                    send(pair.stream(), "last.");
                    assertThat(pair.peerReceives(24)).isEqualTo("before,lease,after,last.");
                }
            });
        }
    }

    @Test
    void aLeaseThatWasSentIsClosed() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                pair.peerSends("x");
                Lease lease = pair.stream().receive();
                pair.stream().send(lease);
                assertThatIllegalStateException().isThrownBy(lease::bytes);
                assertThatIllegalStateException().isThrownBy(() -> pair.stream().send(lease));
                lease.close();
                assertThat(pair.peerReceives(1)).isEqualTo("x");
            });
        }
    }

    @Test
    void theEndOfTheStreamMayBeSentAndSendsNothing() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peer().shutdownOutput();
            skein.blockOn(() -> {
                Lease end = pair.stream().receive();
                assertThat(end.isEnd()).isTrue();
                pair.stream().send(end);
                send(pair.stream(), "x");
                pair.stream().close();
            });
            assertThat(pair.peerReceives(2)).isEqualTo("x");
        }
    }

    @Test
    void onlyWhatIsLeftInALeaseIsSent() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                pair.peerSends("0123456789");
                Lease lease = pair.stream().receive();
                assertThat(lease.bytes().get()).isEqualTo((byte) '0');
                lease.bytes().position(3).limit(7);
                pair.stream().send(lease);
                pair.peerSends("x");
                Lease empty = pair.stream().receive();
                empty.bytes().get();
                pair.stream().send(empty);
                pair.stream().close();
            });
            assertThat(pair.peerReceives(10)).isEqualTo("3456");
        }
    }

    @Test
    void moreLeasesThanADriverHasBuffersMayBeKept() throws Exception {
        try (PlainPair hoarder = plainPair();
                PlainPair other = plainPair()) {
            skein.blockOn(() -> {
                for (int round = 0; round < 2; round++) {
                    List<Lease> kept = new ArrayList<>();
                    for (int i = 0; i < MANY_LEASES; i++) {
                        hoarder.peerSends("letter " + (char) ('a' + i));
                        kept.add(hoarder.stream().receive());
                        other.peerSends("echo");
                        other.stream().send(other.stream().receive());
                        assertThat(other.peerReceives(4)).isEqualTo("echo");
                    }
                    for (int i = 0; i < MANY_LEASES; i++) {
                        try (Lease lease = kept.get(i)) {
                            assertThat(text(lease)).isEqualTo("letter " + (char) ('a' + i));
                        }
                    }
                }
            });
        }
    }

    @Test
    void aLeaseMayBeReadAndClosedAfterItsRuntime() throws Exception {
        Lease lease;
        try (PlainPair pair = plainPair()) {
            pair.peerSends("late");
            lease = pair.stream().receive();
        }
        closeWithinBound(skein);
        assertThat(text(lease)).isEqualTo("late");
        lease.close();
        assertThatIllegalStateException().isThrownBy(lease::bytes);
    }

    @Test
    void aSendToAPeerThatDoesNotReadTimesOutAndTheLeaseIsClosed() throws Exception {
        Socket narrow = new Socket();
        narrow.setReceiveBufferSize(1); // the kernel makes the least of it that it can
        try (PlainPair stuck = plainPair(narrow);
                PlainPair source = plainPair()) {
            stuck.stream().setOption(StandardSocketOptions.SO_SNDBUF, 1);
            stuck.stream().writeTimeout(Duration.ofMillis(30));
            skein.blockOn(() -> {
                for (Lease lease = large(source); isSent(stuck.stream(), lease); lease = large(source)) {}
                stuck.peer().close();
                source.peerSends("x");
                try (Lease lease = source.stream().receive()) {
                    assertThat(lease.bytes().get(lease.bytes().limit() - 1)).isEqualTo((byte) 'x');
                }
            });
        }
    }

    private static Lease large(PlainPair source) throws IOException {
        source.peerSends("y".repeat(10_000));
        return source.stream().receive();
    }

    private static boolean isSent(TcpStream stream, Lease lease) throws IOException {
        try {
            stream.send(lease);
            return true;
        } catch (SocketTimeoutException e) {
            assertThat(e).hasMessageContaining("timed out after 30 ms");
            return false;
        } finally {
            assertThatIllegalStateException().isThrownBy(lease::bytes);
        }
    }

    @Test
    void whatWasSentBeforeACloseArrives() throws Exception {
        for (int round = 0; round < 50; round++) {
            try (PlainPair pair = plainPair()) {
                pair.peerSends("farewell");
                skein.blockOn(() -> {
                    String all = "";
                    while (all.length() < 8) {
                        Lease lease = pair.stream().receive();
                        all += text(lease);
                        pair.stream().send(lease);
                    }
                    pair.stream().close();
                });
                assertThat(pair.peerReceives(9)).isEqualTo("farewell");
            }
        }
    }

    @Test
    void aSendOnAClosedStreamClosesTheLease() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("x");
            skein.blockOn(() -> {
                Lease lease = pair.stream().receive();
                pair.stream().close();
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.stream().send(lease));
                assertThatIllegalStateException().isThrownBy(lease::bytes);
            });
        }
    }

    @Test
    void aThreadThatIsNoCoroutineReceivesAndSends() throws Exception {
        try (PlainPair pair = plainPair()) {
            for (int round = 0; round < 50; round++) {
                pair.peerSends("hello");
                for (int passed = 0; passed < 5; ) {
                    Lease lease = pair.stream().receive();
                    passed += lease.bytes().remaining();
                    pair.stream().send(lease);
                    assertThatIllegalStateException().isThrownBy(lease::bytes);
                }
                assertThat(pair.peerReceives(5)).isEqualTo("hello");
            }
        }
    }

    @Test
    void aStreamOfAnotherRuntimeSendsALease() throws Exception {
        try (Skein other = setup.builder().start();
                TcpListener listener = TcpListener.bind(other, LOOPBACK);
                Socket otherPeer = new Socket(
                        listener.localAddress().getAddress(),
                        listener.localAddress().getPort());
                TcpStream otherStream = listener.accept();
                PlainPair pair = plainPair()) {
            for (int round = 0; round < 300; round++) { // more than a driver has buffers
                pair.peerSends("over");
                for (int passed = 0; passed < 4; ) {
                    Lease lease = skein.blockOn(() -> pair.stream().receive());
                    passed += lease.bytes().remaining();
                    other.blockOn(() -> otherStream.send(lease));
                }
                assertThat(otherPeer.getInputStream().readNBytes(4)).isEqualTo("over".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void theByteOrderThatOneHolderSetsIsNotSeenByTheNext() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                for (int round = 0; round < MANY_LEASES; round++) {
                    pair.peerSends("x");
                    try (Lease lease = pair.stream().receive()) {
                        assertThat(lease.bytes().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
                        lease.bytes().order(ByteOrder.LITTLE_ENDIAN);
                    }
                }
            });
        }
    }

    /** Were it given back twice, two connections would get it. */
    @Test
    void aLeaseThatTwoThreadsCloseIsGivenBackOnce() throws Exception {
        AtomicInteger returns = new AtomicInteger();
        Loan loan = new Loan(ByteBuffer.allocateDirect(1)) {
            @Override
            public void giveBack() {
                returns.incrementAndGet();
            }
        };
        int rounds = Rounds.of(3000);
        Lease[] leases = new Lease[rounds];
        Arrays.setAll(leases, _ -> new Lease().of(loan));
        Phaser together = new Phaser(2);
        Thread other = Thread.ofPlatform().start(() -> closeAll(leases, together));
        closeAll(leases, together);
        other.join();
        assertThat(returns).hasValue(rounds);
    }

    private static void closeAll(Lease[] leases, Phaser together) {
        for (Lease lease : leases) {
            together.arriveAndAwaitAdvance();
            lease.close();
        }
    }

    /** An interrupt and some bytes come at the same time. */
    @Test
    void anInterruptedReceiveLosesNoByte() throws Exception {
        int rounds = Rounds.of(1000);
        try (PlainPair pair = plainPair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                for (int received = 0; received < rounds; ) {
                    try (Lease lease = pair.stream().receive()) {
                        int count = lease.bytes().remaining();
                        Pattern.check(lease.bytes(), received);
                        received += count;
                    } catch (InterruptedIOException e) {
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    }
                    Thread.interrupted();
                }
            });
            SplittableRandom random = new SplittableRandom(9);
            OutputStream out = pair.peer().getOutputStream();
            ByteBuffer next = ByteBuffer.allocate(1);
            for (int round = 0; round < rounds; round++) {
                Pattern.fill(next.clear(), round);
                out.write(next.array());
                for (int spins = random.nextInt(1500); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                reader.thread().interrupt();
            }
            reader.join();
        }
    }
}
