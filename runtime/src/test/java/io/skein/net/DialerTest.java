package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.sched.SchedulerAccess;
import io.skein.sync.Event;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Setup.OnePerDriver
class DialerTest extends NetworkTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress THERE = InetAddress.ofLiteral("127.0.0.2");
    private static final InetAddress SIX = InetAddress.ofLiteral("::1");

    /** A connection that never was; counts those that are open. */
    private static final class Link implements AutoCloseable {
        private static final AtomicInteger OPEN = new AtomicInteger();
        private final InetSocketAddress address;

        Link(InetSocketAddress address) {
            this.address = address;
            OPEN.incrementAndGet();
        }

        InetAddress host() {
            return address.getAddress();
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }

    DialerTest(Setup setup) {
        super(setup);
    }

    @Test
    void theFamiliesTakeTurnsAndTheFirstOneBegins() {
        InetAddress one = InetAddress.ofLiteral("192.0.2.1");
        InetAddress two = InetAddress.ofLiteral("192.0.2.2");
        InetAddress three = InetAddress.ofLiteral("192.0.2.3");
        InetAddress six = InetAddress.ofLiteral("2001:db8::6");

        assertThat(Dialer.interleaved(List.of(one, two, three, SIX, six))).containsExactly(one, SIX, two, six, three);
        assertThat(Dialer.interleaved(List.of(SIX, one, six, two))).containsExactly(SIX, one, six, two);
        assertThat(Dialer.interleaved(List.of(one, two))).containsExactly(one, two);
    }

    @Test
    void aHostIsReachedByNameAndByText() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            int port = server.address().getPort();
            Dialer dialer = Dialer.standard().withResolver(_ -> List.of(HERE));

            expectEcho(dialer.connect(skein, "service.test", port));
            expectEcho(dialer.connect(skein, "service.test:" + port));
            skein.blockOn(() -> {
                expectEcho(dialer.connect("service.test", port));
                expectEcho(dialer.connect("service.test:" + port));
                expectEcho(TcpStream.connect("127.0.0.1:" + port));
                expectEcho(TcpStream.connect("localhost", port));
            });
        }
    }

    @Test
    void anAddressThatRefusesIsFollowedByTheNextAtOnce() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            Dialer dialer =
                    Dialer.standard().withResolver(_ -> List.of(THERE, HERE)).withStagger(NEVER);

            expectEcho(dialer.connect(skein, "service.test", server.address().getPort()));
        }
    }

    @Test
    void anAddressOfTheOtherFamilyServesAsWell() throws Exception {
        assumeIpv6();
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            Dialer dialer =
                    Dialer.standard().withResolver(_ -> List.of(SIX, HERE)).withStagger(NEVER);

            expectEcho(dialer.connect(skein, "service.test", server.address().getPort()));
        }
    }

    @Test
    void anAddressThatDoesNotAnswerIsLeftBehindAndClosed() throws Exception {
        Queue<InetAddress> cancelled = new ConcurrentLinkedQueue<>();

        Link link = race(Duration.ofMillis(1), address -> {
            if (address.getAddress().equals(HERE)) {
                waitForEver(address, cancelled);
            }
            return new Link(address);
        });

        assertThat(link.host()).isEqualTo(THERE);
        assertThat(cancelled).containsExactly(HERE);
        link.close();
        assertThat(Link.OPEN).hasValue(0);
    }

    @Test
    void ofTwoThatSucceedOneWinsAndTheOtherIsClosed() throws Exception {
        CountDownLatch both = new CountDownLatch(2);

        Link link = race(Duration.ofMillis(1), address -> {
            both.countDown();
            uninterruptibly(both);
            return new Link(address);
        });

        assertThat(Link.OPEN).hasValue(1);
        link.close();
    }

    @Test
    void aLoserThatConnectsThoughItWasCancelledIsClosed() throws Exception {
        CountDownLatch won = new CountDownLatch(1);

        Link link = race(Duration.ofMillis(1), address -> {
            if (address.getAddress().equals(HERE)) {
                uninterruptibly(won); // deaf to the cancel, as an operation that had completed is
            } else {
                won.countDown();
            }
            return new Link(address);
        });

        assertThat(Link.OPEN).hasValue(1);
        link.close();
    }

    @Test
    void anAnswerInTimeLeavesTheOtherAddressesInPeace() throws Exception {
        AtomicInteger attempts = new AtomicInteger();

        race(NEVER, address -> {
                    attempts.incrementAndGet();
                    return new Link(address);
                })
                .close();

        assertThat(attempts).hasValue(1);
    }

    @Test
    void whenNobodyAnswersTheFailuresOfAllAreTold() {
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> race(NEVER, address -> {
                    throw new ConnectException("no answer from " + address.getAddress());
                }))
                .withMessageStartingWith("connect service.test:80: none of 2 addresses: ")
                .withMessageContaining("no answer from /127.0.0.1")
                .withMessageContaining("no answer from /127.0.0.2")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSizeGreaterThanOrEqualTo(2));
    }

    @Test
    void anInterruptEndsAllAttempts() throws Exception {
        Queue<InetAddress> cancelled = new ConcurrentLinkedQueue<>();
        CountDownLatch begun = new CountDownLatch(2);
        Coroutine<Link> dialling = skein.spawn(() -> race(Duration.ofMillis(1), address -> {
            begun.countDown();
            return waitForEver(address, cancelled);
        }));
        begun.await();
        Await.untilWaiting(dialling);

        dialling.cancel(true);

        Await.until("it ended", dialling::isDone);
        assertThat(dialling.isCancelled()).isTrue();
        assertThat(cancelled).containsExactlyInAnyOrder(HERE, THERE);
    }

    @Test
    void allOfItTogetherHasALimit() {
        Dialer dialer = twoAddresses().withStagger(Duration.ofMillis(1)).withTimeout(Duration.ofMillis(20));
        Queue<InetAddress> cancelled = new ConcurrentLinkedQueue<>();

        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> dialer.race(
                        SchedulerAccess.of(skein),
                        new HostPort("service.test", 80),
                        address -> waitForEver(address, cancelled)))
                .withMessageContaining("connect service.test:80: no connection within 20 ms");
    }

    @Test
    void aLookUpThatTakesTooLongIsATimeoutAndHoldsNobody() throws Exception {
        Event answered = new Event();
        Dialer dialer = Dialer.standard()
                .withLookUpTimeout(Duration.ofMillis(10))
                .withResolver(_ -> {
                    awaitQuietly(answered);
                    return List.of(HERE);
                });

        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> dialer.connect(skein, "slow.test", 80))
                .withMessageContaining("resolve slow.test: no answer within 10 ms");
        answered.set();
    }

    @Test
    void aHostThatNobodyKnowsIsNamed() {
        Dialer empty = Dialer.standard().withResolver(_ -> List.of());
        Dialer ignorant = Dialer.standard().withResolver(_ -> {
            throw new UnknownHostException("NXDOMAIN");
        });

        for (Dialer dialer : List.of(empty, ignorant)) {
            assertThatExceptionOfType(UnknownHostException.class)
                    .isThrownBy(() -> dialer.connect(skein, "nobody.test", 80))
                    .withMessage("nobody.test: unknown host");
        }
    }

    @Test
    void aLiteralAddressIsNotLookedUp() throws Exception {
        Dialer dialer = Dialer.standard().withResolver(_ -> {
            throw new IllegalStateException("looked up");
        });
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            expectEcho(dialer.connect(skein, "127.0.0.1:" + server.address().getPort()));
        }
    }

    @Test
    void whatIsNoTextForAHostIsRefusedAndSoIsACallerWithoutARuntime() {
        assertThatIllegalArgumentException().isThrownBy(() -> Dialer.standard().connect(skein, "::1:80"));
        assertThatIllegalStateException().isThrownBy(() -> Dialer.standard().connect("127.0.0.1:80"));
    }

    @Test
    void aThreadThatALibraryStartedInACoroutineMayDialToo() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            Dialer dialer = Dialer.standard().withResolver(_ -> List.of(THERE, HERE));
            skein.blockOn(() -> {
                Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
                Thread thread = Thread.startVirtualThread(() -> {
                    try {
                        expectEcho(dialer.connect(
                                skein, "service.test", server.address().getPort()));
                    } catch (IOException | AssertionError e) {
                        failures.add(e);
                    }
                });
                thread.join();
                assertThat(failures).isEmpty();
            });
        }
    }

    private static Dialer twoAddresses() {
        return Dialer.standard().withResolver(_ -> List.of(HERE, THERE));
    }

    private Link race(Duration stagger, Dialer.Attempt<Link> attempt) throws IOException {
        Link.OPEN.set(0);
        return twoAddresses()
                .withStagger(stagger)
                .race(SchedulerAccess.of(skein), new HostPort("service.test", 80), attempt);
    }

    private static Link waitForEver(InetSocketAddress address, Queue<InetAddress> cancelled) throws IOException {
        try {
            new CountDownLatch(1).await();
            return new Link(address);
        } catch (InterruptedException e) {
            cancelled.add(address.getAddress());
            throw new InterruptedIOException("cancelled");
        }
    }

    private static void uninterruptibly(CountDownLatch latch) {
        Uninterruptibly.run(latch::await);
    }

    private static void awaitQuietly(Event event) {
        Uninterruptibly.run(event::await);
    }

    private static void expectEcho(TcpStream stream) {
        try (stream) {
            send(stream, "hello");
            assertThat(receive(stream, 5)).isEqualTo("hello");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
