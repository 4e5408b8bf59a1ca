package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Generator;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Scope;
import io.skein.sync.Channel;
import io.skein.sync.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What coroutines do after they were woken from a wait of Skein's own: go on, wait again, end, fail, or are cancelled. */
@Mode.Each
class UnparkingCoroutineTest extends ModeTest {
    private final Event event = new Event();
    private final AtomicBoolean goOn = new AtomicBoolean();

    UnparkingCoroutineTest(Mode mode) {
        super(mode);
    }

    @Test
    void whoIsWokenLooksParkedUntilAWorkerComesToIt() throws Exception {
        assumeTrue(Loom.available(), "the JDK has its own way to wake a thread");
        Coroutine<?> waiter = skein.spawn(() -> event.await());
        awaitParked(waiter.thread());
        List<Coroutine<?>> busy = occupyWorkers();
        try {
            event.set();
            assertThat(ParkedThreads.isParked(waiter.thread())).isTrue();
        } finally {
            goOn.set(true);
        }
        waiter.join();
        for (Coroutine<?> coroutine : busy) {
            coroutine.join();
        }
    }

    @Test
    void whoIsQueuedTwiceAndWaitsAgainIsWokenByItsOwnEventOnly() throws Exception {
        assumeTrue(Loom.available(), "the JDK's carriers are not ours to occupy");
        Event second = new Event();
        AtomicInteger passed = new AtomicInteger();
        Coroutine<?> waiter = skein.spawn(() -> {
            event.await();
            passed.set(1);
            second.await();
            passed.set(2);
        });
        Await.untilWaiting(waiter);
        List<Coroutine<?>> busy = occupyWorkers();
        event.set();
        for (int i = 0; i < 10; i++) {
            Unparking.unpark(waiter.thread());
        }
        LockSupport.unpark(waiter.thread());
        goOn.set(true);
        for (Coroutine<?> coroutine : busy) {
            coroutine.join();
        }
        Await.until("the first wait is over", () -> passed.get() > 0);
        for (int i = 0; i < 10; i++) {
            Unparking.unpark(waiter.thread());
            LockSupport.unpark(waiter.thread());
        }
        skein.blockOn(() -> Coroutine.yieldNow());
        Await.untilWaiting(waiter);
        assertThat(passed).hasValue(1);

        second.set();

        waiter.join();
        assertThat(passed).hasValue(2);
    }

    @Test
    void aThreadThatACoroutineHasStartedIsWokenAndTheCoroutineIsNot() throws Exception {
        AtomicInteger wakes = new AtomicInteger();
        Channel<Thread> started = Channel.unbounded();
        Coroutine<?> starter = skein.spawn(() -> {
            started.send(Thread.startVirtualThread(() -> parkUntil(goOn)));
            while (!event.isSet()) {
                LockSupport.park();
                wakes.incrementAndGet();
            }
        });
        Thread thread = started.receive();
        Await.untilWaiting(thread);
        Await.untilWaiting(starter);
        int before = wakes.get();

        goOn.set(true);
        Unparking.unpark(thread);

        try {
            Await.untilEnded("the thread", thread);
            assertThat(wakes).hasValue(before);
        } finally {
            LockSupport.unpark(thread);
            event.set();
            Unparking.unpark(starter.thread());
        }
        starter.join();
    }

    @Test
    void whoHasEndedMayBeUnparked() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> "ended");
        coroutine.thread().join();

        Unparking.unpark(coroutine.thread());

        assertThat(coroutine.join()).isEqualTo("ended");
        assertThat(coroutine.thread().getState()).isEqualTo(Thread.State.TERMINATED);
    }

    @Test
    void theBodyOfAGeneratorIsWokenAndGoesOn() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        Coroutine<List<Integer>> consumer = skein.spawn(() -> Generator.<Integer>of(emitter -> {
                    for (int i = 0; i < 50; i++) {
                        emitter.emit(channel.receive());
                    }
                })
                .stream()
                .toList());

        List<Integer> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            if (i % 10 == 0) {
                Await.untilWaiting(consumer);
                LockSupport.unpark(consumer.thread());
            }
            channel.send(i);
            sent.add(i);
        }

        assertThat(consumer.join()).isEqualTo(sent);
    }

    @Test
    void whoReturnsAfterwardsHasEndedAndSoHasItsThread() throws Exception {
        ThreadLocal<String> local = new ThreadLocal<>();
        ScopedValue<String> scoped = ScopedValue.newInstance();
        Coroutine<String> coroutine =
                skein.spawn(() -> ScopedValue.where(scoped, "scoped").call(() -> {
                    local.set("local");
                    event.await();
                    return local.get() + " " + scoped.get() + " "
                            + (Coroutine.current().thread() == Thread.currentThread());
                }));
        Await.untilWaiting(coroutine);

        event.set();

        assertThat(coroutine.join()).isEqualTo("local scoped true");
        assertEnded(coroutine);
    }

    @Test
    void whoFailsAfterwardsHasFailedAndItsThreadHasEnded() throws Exception {
        Coroutine<?> coroutine = skein.spawn(() -> {
            event.await();
            throw new IllegalStateException("on purpose");
        });
        Coroutine<?> listener = skein.spawn(() -> assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(coroutine::join)
                .withCauseInstanceOf(IllegalStateException.class));
        Await.untilWaiting(coroutine);
        Await.untilWaiting(listener);

        event.set();

        listener.join();
        assertEnded(coroutine);
    }

    @Test
    void whoIsCancelledAfterwardsIsCancelledAndItsThreadHasEnded() throws Exception {
        Coroutine<?> coroutine = skein.spawn(() -> {
            event.await();
            new Event().await();
        });
        Await.untilWaiting(coroutine);

        event.set();
        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertEnded(coroutine);
    }

    @Test
    void theChildrenOfAScopeAreWokenAndJoined() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        Coroutine<?> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open(Scope.Policy.allSucceed())) {
                for (int i = 0; i < 20; i++) {
                    var _ = scope.fork(() -> {
                        event.await();
                        return ended.incrementAndGet();
                    });
                }
                scope.join();
            }
        });
        Await.untilWaiting(owner);

        event.set();

        owner.join();
        assertThat(ended).hasValue(20);
        assertEnded(owner);
        Await.until("all have left", () -> skein.metrics().liveCoroutines() == 0);
    }

    /** Spawns coroutines that hold all workers until they may go on. */
    private List<Coroutine<?>> occupyWorkers() {
        AtomicInteger running = new AtomicInteger();
        List<Coroutine<?>> busy = new ArrayList<>();
        for (int i = 0; i < mode.workers(); i++) {
            busy.add(skein.spawn(() -> {
                running.incrementAndGet();
                while (!goOn.get()) {
                    Thread.onSpinWait();
                }
            }));
        }
        Await.until("all workers are busy", () -> running.get() == mode.workers());
        return busy;
    }

    private static void awaitParked(Thread thread) {
        Await.until(thread + " is parked", () -> ParkedThreads.isParked(thread));
    }

    private static void assertEnded(Coroutine<?> coroutine) throws InterruptedException {
        assertThat(coroutine.thread().join(Duration.ofSeconds(20))).isTrue();
        assertThat(coroutine.thread().isAlive()).isFalse();
        assertThat(coroutine.isDone()).isTrue();
    }

    private static void parkUntil(AtomicBoolean condition) {
        while (!condition.get()) {
            LockSupport.park();
        }
    }
}
