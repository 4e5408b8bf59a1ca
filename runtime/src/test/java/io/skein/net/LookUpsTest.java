package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.sched.SchedulerAccess;
import io.skein.internal.time.Durations;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

@Setup.OnePerDriver
class LookUpsTest extends NetworkTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(5);

    /** Long enough for a thread of the pool to begin, on a busy machine too. */
    private static final Duration UNTIL_ASKED = Duration.ofSeconds(1);

    /** The hosts that the resolver was asked for. */
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private final CountDownLatch answered = new CountDownLatch(1);

    LookUpsTest(Setup setup) {
        super(setup);
    }

    /** Answers when it is told to, and heeds no interrupt: as the JDK's does when nobody answers. */
    private final Resolver deaf = host -> {
        asked.add(host);
        Uninterruptibly.run(answered::await);
        return List.of(HERE);
    };

    private List<InetAddress> lookUp(Resolver resolver, String host, Duration limit) throws IOException {
        return Caller.lookUp(SchedulerAccess.of(skein), resolver, host, limit);
    }

    private Coroutine<List<InetAddress>> start(Resolver resolver, String host) {
        return skein.spawn(host, () -> lookUp(resolver, host, LONG));
    }

    private void expectTimeout(Resolver resolver, String host, Duration limit) throws InterruptedException {
        skein.blockOn(() -> {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> lookUp(resolver, host, limit))
                    .withMessage("resolve " + host + ": no answer within " + Durations.text(limit));
        });
    }

    @Test
    void thoseWhoAskForTheSameHostShareOneLookUp() throws Exception {
        List<Coroutine<List<InetAddress>>> callers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            callers.add(start(deaf, "service.test"));
        }
        callers.forEach(LookUpsTest::awaitAsking);

        answered.countDown();

        for (Coroutine<List<InetAddress>> caller : callers) {
            assertThat(caller.join()).containsExactly(HERE);
        }
        assertThat(asked).containsExactly("service.test");
    }

    @Test
    void anAnswerIsNotKept() throws Exception {
        answered.countDown();
        assertThat(start(deaf, "service.test").join()).containsExactly(HERE);
        assertThat(start(deaf, "service.test").join()).containsExactly(HERE);
        assertThat(asked).hasSize(2);
    }

    @Test
    void aDeadNameServiceTakesSomeThreadsOfThePoolAndNotAll() throws Exception {
        List<Coroutine<List<InetAddress>>> callers = new ArrayList<>();
        for (int i = 0; i < 3 * LookUps.AT_ONCE; i++) {
            callers.add(start(deaf, "host" + i + ".test"));
        }
        Await.until("the first ones are looked up", () -> asked.size() == LookUps.AT_ONCE);
        callers.forEach(LookUpsTest::awaitAsking);

        assertThat(skein.blockOn(() -> Skein.blocking(() -> "free"))).isEqualTo("free");
        assertThat(asked).hasSize(LookUps.AT_ONCE);

        answered.countDown();
        for (Coroutine<List<InetAddress>> caller : callers) {
            assertThat(caller.join()).containsExactly(HERE);
        }
        assertThat(asked).hasSize(3 * LookUps.AT_ONCE);
    }

    @Test
    void aHostThatDoesNotAnswerHoldsOneThreadHoweverOftenItIsAskedFor() throws Exception {
        for (int i = 0; i < 10; i++) {
            expectTimeout(deaf, "dead.test", SHORT);
        }
        Coroutine<List<InetAddress>> patient = start(deaf, "dead.test");
        awaitAsking(patient);

        answered.countDown();

        assertThat(patient.join()).containsExactly(HERE);
        assertThat(asked).containsExactly("dead.test");
    }

    @Test
    void whoGivesUpBeforeItsTurnIsForgotten() throws Exception {
        List<Coroutine<List<InetAddress>>> callers = new ArrayList<>();
        for (int i = 0; i < LookUps.AT_ONCE; i++) {
            callers.add(start(deaf, "host" + i + ".test"));
        }
        Await.until("all places are taken", () -> asked.size() == LookUps.AT_ONCE);
        expectTimeout(deaf, "late.test", SHORT);

        answered.countDown();

        for (Coroutine<List<InetAddress>> caller : callers) {
            caller.join();
        }
        assertThat(asked).hasSize(LookUps.AT_ONCE).doesNotContain("late.test");
    }

    @Test
    void oneWhoGivesUpDoesNotDisturbTheOthers() throws Exception {
        Resolver interruptible = host -> {
            asked.add(host);
            awaitAnswer();
            return List.of(HERE);
        };
        Coroutine<List<InetAddress>> patient = start(interruptible, "service.test");
        Await.until("it is asked", () -> asked.size() == 1);
        expectTimeout(interruptible, "service.test", SHORT);

        answered.countDown();

        assertThat(patient.join()).containsExactly(HERE);
        assertThat(asked).hasSize(1);
    }

    @Test
    void whenAllHaveGivenUpTheResolverIsInterruptedAndWhoComesMeanwhileAsksAgain() throws Exception {
        CountDownLatch somebodyCame = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Resolver interruptible = host -> {
            asked.add(host);
            if (asked.size() > 1) {
                return List.of(HERE);
            }
            try {
                awaitAnswer();
                return List.of();
            } finally {
                interrupted.countDown();
                Uninterruptibly.run(somebodyCame::await);
            }
        };
        expectTimeout(interruptible, "service.test", UNTIL_ASKED);
        interrupted.await();
        Coroutine<List<InetAddress>> next = start(interruptible, "service.test");
        awaitAsking(next);
        assertThat(asked).hasSize(1);

        somebodyCame.countDown();

        assertThat(next.join()).containsExactly(HERE);
        assertThat(asked).hasSize(2);
    }

    @Test
    void aFailureIsToldToEachInAnExceptionOfItsOwn() throws Exception {
        Resolver ignorant = _ -> {
            Uninterruptibly.run(answered::await);
            throw new UnknownHostException("NXDOMAIN");
        };
        Coroutine<IOException> first = startInVain(ignorant, "nobody.test");
        Coroutine<IOException> second = startInVain(ignorant, "nobody.test");
        awaitAsking(first);
        awaitAsking(second);

        answered.countDown();

        assertThat((Throwable) first.join())
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("nobody.test: unknown host")
                .isNotSameAs(second.join());
    }

    @Test
    void whatElseAResolverDoesWrongIsToldToo() throws Exception {
        Resolver broken = _ -> {
            throw new IllegalStateException("a bug");
        };
        assertThat((Throwable) startInVain(broken, "service.test").join())
                .hasMessageContaining("resolve service.test")
                .hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat((Throwable) startInVain(_ -> List.of(), "service.test").join())
                .isInstanceOf(UnknownHostException.class);
    }

    private Coroutine<IOException> startInVain(Resolver resolver, String host) {
        return skein.spawn(host, () -> {
            try {
                throw new AssertionError("found " + lookUp(resolver, host, LONG));
            } catch (IOException e) {
                return e;
            }
        });
    }

    /** Returns once it waits for an answer, its own or another's. */
    private static void awaitAsking(Coroutine<?> caller) {
        Await.until(
                caller.name() + " waits for an answer",
                () -> Arrays.stream(caller.thread().getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(CompletableFuture.class.getName())));
    }

    private void awaitAnswer() throws IOException {
        try {
            answered.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
        }
    }
}
