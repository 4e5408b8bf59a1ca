package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.internal.Uninterruptibly;
import io.skein.net.TcpStream;
import io.skein.sync.Channel;
import io.skein.sync.Event;
import io.skein.sync.Mutex;
import io.skein.time.NativeFrame;
import io.skein.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A coroutine below a native frame waits for something of Skein's: it goes on when that comes, not when the watchdog looks. */
@DriverMode.Each
class PinnedWaitTest extends DriverModeTest {
    private static final int ROUNDS = 20;

    /** One round of something that is done for each of {@link #ROUNDS}. */
    @FunctionalInterface
    private interface Round {
        void run(int round) throws Exception;
    }

    PinnedWaitTest(DriverMode mode) {
        super(mode);
    }

    @Test
    void aValueIsReceived() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();

        expectEndAtOnce(round -> assertThat(channel.receive()).isEqualTo(round), channel::send);
    }

    @Test
    void aValueIsSent() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();

        expectEndAtOnce(channel::send, round -> assertThat(channel.receive()).isEqualTo(round));
    }

    @Test
    void aMutexIsUnlocked() throws Exception {
        List<Mutex> mutexes = each(Mutex::new);
        for (Mutex mutex : mutexes) {
            mutex.lock();
        }

        expectEndAtOnce(
                round -> mutexes.get(round).lock(), round -> mutexes.get(round).unlock());
    }

    @Test
    void anEventIsSet() throws Exception {
        List<Event> events = each(Event::new);

        expectEndAtOnce(
                round -> events.get(round).await(), round -> events.get(round).set());
    }

    @Test
    void anEventWithATimeLimitIsSet() throws Exception {
        List<Event> events = each(Event::new);

        expectEndAtOnce(
                round ->
                        assertThat(events.get(round).await(Duration.ofHours(1))).isTrue(),
                round -> events.get(round).set());
    }

    @Test
    void aCoroutineOfAnotherRuntimeEnds() throws Exception {
        List<Event> events = each(Event::new);
        try (Skein other = setup.builder().workers(1).name("other").start()) {
            List<Coroutine<?>> coroutines = new ArrayList<>();
            for (Event event : events) {
                coroutines.add(other.spawn(() -> event.await()));
            }

            expectEndAtOnce(
                    round -> coroutines.get(round).join(),
                    round -> events.get(round).set());
        }
    }

    @Test
    void aCoroutineOfAnotherWorkerEnds() throws Exception {
        assumeTrue(mode.workers() > 1, "there is no other worker");
        List<Event> events = each(Event::new);
        List<Coroutine<?>> coroutines = new ArrayList<>();
        for (Event event : events) {
            coroutines.add(skein.spawnOn(1, () -> event.await()));
        }

        expectEndAtOnce(
                round -> coroutines.get(round).join(),
                round -> events.get(round).set());
    }

    @Test
    void aBlockingCallReturns() throws Exception {
        List<CountDownLatch> latches = each(() -> new CountDownLatch(1));

        expectEndAtOnce(
                round -> Skein.blocking(() -> {
                    latches.get(round).await();
                    return round;
                }),
                round -> latches.get(round).countDown());
    }

    @Test
    void aTaskThatAPlatformThreadRunsEnds() throws Exception {
        List<CountDownLatch> latches = each(() -> new CountDownLatch(1));
        CountDownLatch begun = new CountDownLatch(ROUNDS);
        List<Task<String>> tasks = new ArrayList<>();
        List<Thread> runners = new ArrayList<>();
        for (CountDownLatch latch : latches) {
            Task<String> task = Task.of(() -> {
                begun.countDown();
                latch.await();
                return "done";
            });
            tasks.add(task);
            runners.add(Thread.ofPlatform().start(() -> Uninterruptibly.run(task::await)));
        }
        begun.await();

        expectEndAtOnce(
                round -> assertThat(tasks.get(round).await()).isEqualTo("done"),
                round -> latches.get(round).countDown());
        for (Thread runner : runners) {
            runner.join();
        }
    }

    /** Another worker has to steal the child from the one that the owner holds. */
    @Test
    void aChildThatIsJoinedEnds() throws Exception {
        assumeTrue(mode.workers() > 1 && mode.scheduling() == Scheduling.STEALING, "nobody would run the child");
        List<Event> events = each(Event::new);
        Semaphore children = new Semaphore(0);

        expectEndAtOnce(
                round -> {
                    try (Scope<Object, ?> scope = Scope.open()) {
                        var _ = scope.fork(() -> {
                            children.release();
                            events.get(round).await();
                        });
                        scope.join();
                    }
                },
                round -> {
                    children.acquire();
                    events.get(round).set();
                });
    }

    @Test
    void aChildThatAScopesCloseWaitsForEnds() throws Exception {
        assumeTrue(mode.workers() > 1 && mode.scheduling() == Scheduling.STEALING, "nobody would run the child");
        List<Event> events = each(Event::new);
        Semaphore children = new Semaphore(0);

        expectEndAtOnce(
                round -> {
                    try (Scope<Object, ?> scope = Scope.open()) {
                        CountDownLatch begun = new CountDownLatch(1);
                        var _ = scope.fork(() -> {
                            begun.countDown();
                            children.release();
                            Uninterruptibly.run(() -> events.get(round).await()); // deaf to the close, which cancels
                        });
                        begun.await(); // else the close would keep it from beginning
                    }
                },
                round -> {
                    children.acquire();
                    events.get(round).set();
                });
    }

    @Test
    void aSleepEnds() throws Exception {
        expectAtOnce(_ -> Time.sleep(Duration.ofMillis(1)));
    }

    @Test
    void aLimitPassesWhileItReads() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                TcpStream idle = TcpStream.connect(skein, (InetSocketAddress) listener.getLocalSocketAddress())) {
            expectAtOnce(_ -> assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(Duration.ofMillis(1), () -> idle.read(ByteBuffer.allocate(1)))));
        }
    }

    /** Lets a pinned coroutine wait in each round, and ends its waits from this thread, which is no coroutine. */
    private void expectEndAtOnce(Round wait, Round end) throws Exception {
        Semaphore begun = new Semaphore(0);
        AtomicLong endedAt = new AtomicLong();
        long[] late = new long[ROUNDS];
        Coroutine<?> waiting = skein.spawnOn(
                0,
                () -> NativeFrame.run(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        begun.release();
                        wait.run(round);
                        late[round] = System.nanoTime() - endedAt.get();
                    }
                }));
        for (int round = 0; round < ROUNDS; round++) {
            begun.acquire();
            PinnedBy.awaitWait(waiting);
            endedAt.set(System.nanoTime());
            end.run(round);
        }
        waiting.join();
        PinnedBy.assertNotRescued(late);
    }

    /** For waits that end by themselves. */
    private void expectAtOnce(Round wait) throws Exception {
        long[] took = new long[ROUNDS];
        skein.spawnOn(
                        0,
                        () -> NativeFrame.run(() -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                long start = System.nanoTime();
                                wait.run(round);
                                took[round] = System.nanoTime() - start;
                            }
                        }))
                .join();
        PinnedBy.assertNotRescued(took);
    }

    private static <T> List<T> each(Supplier<T> one) {
        return Stream.generate(one).limit(ROUNDS).toList();
    }
}
