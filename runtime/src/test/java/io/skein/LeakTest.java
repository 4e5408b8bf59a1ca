package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.CancelToken.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Hundreds of thousands of cancelled coroutines and given-up waits leave heap, threads and counters where they were. */
@Mode.SeveralWorkers
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LeakTest extends ModeTest {
    private static final int MANY = 100_000;
    private static final int MILLION = 1_000_000;
    private static final int BATCH = 10_000;

    /** What the heap may have grown by: far less than a hundred bytes for each of {@link #MANY}. */
    private static final long TOLERANCE = 4 << 20;

    /** Holds those that live longer than the test's many. */
    private final CountDownLatch release = new CountDownLatch(1);

    LeakTest(Mode mode) {
        super(mode);
    }

    @AfterEach
    void releaseTheLongLived() {
        release.countDown();
    }

    @Test
    void cancelledCoroutinesLeaveNothing() throws Exception {
        cancelAll(MANY, LeakTest::endless);
    }

    @Test
    @Tag("long")
    void aMillionCancelledCoroutinesLeaveNothing() throws Exception {
        cancelAll(MILLION, LeakTest::endless);
    }

    @Test
    void cancelledAwaitersLeaveNothing() throws Exception {
        cancelAll(MANY, () -> new ScriptedAwaiter().await());
    }

    @Test
    void cancelledCoroutinesWithCallbacksAndShieldedSectionsLeaveNothing() throws Exception {
        cancelAll(MANY, LeakTest::guarded);
    }

    @Test
    @Tag("long")
    void aMillionCancelledCoroutinesWithCallbacksAndShieldedSectionsLeaveNothing() throws Exception {
        cancelAll(MILLION, LeakTest::guarded);
    }

    @Test
    void cancelledScopesLeaveNothing() throws Exception {
        cancelAll(MANY / 4, LeakTest::withChildren);
    }

    @Test
    @Tag("long")
    void aMillionCoroutinesInCancelledScopesLeaveNothing() throws Exception {
        cancelAll(MILLION / 3, LeakTest::withChildren);
    }

    private static Object endless() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    private static Object guarded() throws Exception {
        try (Registration registration = CancelToken.current().onCancel(() -> {})) {
            assertThat(registration).isNotNull();
            return endless();
        } finally {
            Coroutine.shielded(() -> Coroutine.yieldNow());
        }
    }

    private static Object withChildren() throws InterruptedException {
        try (Scope<Object, ?> scope = Scope.open()) {
            var _ = scope.fork(LeakTest::endless);
            var _ = scope.fork(LeakTest::endless);
            scope.join();
            return "never";
        }
    }

    private void cancelAll(int count, Callable<Object> body) throws Exception {
        cancelBatch(body); // what is made once is made now
        long before = usedHeap();
        for (int done = 0; done < count; done += BATCH) {
            cancelBatch(body);
        }

        expectNothingLeft(before);
    }

    private void cancelBatch(Callable<Object> body) {
        long living = skein.metrics().liveCoroutines();
        List<Coroutine<Object>> batch = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            batch.add(skein.spawn(body));
        }
        batch.forEach(coroutine -> coroutine.cancel(true));
        Await.until("all have ended", () -> skein.metrics().liveCoroutines() == living);
        assertThat(batch).allMatch(Coroutine::isCancelled);
    }

    @Test
    void waitsThatWereGivenUpLeaveNothing() throws Exception {
        Coroutine<?> longLived = skein.spawn(() -> release.await());
        Coroutine<?> patient = skein.spawn(() -> longLived.get());
        Await.untilWaiting(patient);
        leavesNothing(
                MANY,
                _ -> assertThatExceptionOfType(TimeoutException.class)
                        .isThrownBy(() -> longLived.get(0, TimeUnit.NANOSECONDS)));
    }

    @Test
    void waitersThatRelieveOneAnotherLeaveNothing() throws Exception {
        Coroutine<String> longLived = skein.spawn(() -> {
            release.await();
            return "value";
        });
        skein.blockOn(() -> {
            List<Coroutine<?>> last = new ArrayList<>();
            leavesNothing(MANY, _ -> {
                Coroutine<?> next = Skein.current().spawn(() -> longLived.join());
                while (next.thread().getState() != Thread.State.WAITING) {
                    Coroutine.yieldNow();
                }
                last.forEach(before -> before.cancel(true));
                last.clear();
                last.add(next);
            });
        });
    }

    @Test
    void whenAnyOnLongLivedCoroutinesLeavesNothing() throws Exception {
        Coroutine<String> longLived = skein.spawn(() -> {
            release.await();
            return "value";
        });
        skein.blockOn(() -> leavesNothing(MANY, _ -> {
            Coroutine<String> quick = Skein.current().spawn(() -> {
                Coroutine.yieldNow();
                return "quick";
            });
            assertThat((Object) Tasks.whenAny(longLived, quick)).isSameAs(quick);
        }));
    }

    @Test
    void registrationsThatWereTakenBackLeaveNothing() throws Exception {
        Coroutine<?> longLived = skein.spawn(() -> release.await());
        CancelToken token = longLived.cancelToken();
        var _ = token.onCancel(() -> {});
        leavesNothing(MILLION, _ -> token.onCancel(() -> {}).close());
    }

    @Test
    void registrationsThatRelieveOneAnotherLeaveNothing() throws Exception {
        Coroutine<?> longLived = skein.spawn(() -> release.await());
        CancelToken token = longLived.cancelToken();
        Registration[] last = {token.onCancel(() -> {})};
        leavesNothing(MILLION, _ -> {
            Registration next = token.onCancel(() -> {});
            last[0].close();
            last[0] = next;
        });
    }

    @Test
    void interruptedAwaitersOfATaskLeaveNothing() throws Exception {
        Task<String> task = Task.of(() -> {
            release.await();
            return "value";
        });
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        cancelAll(MANY, task::await);
    }

    private static void leavesNothing(int rounds, Collision.Round round) throws Exception {
        for (int i = 0; i < BATCH; i++) {
            round.play(i);
        }
        long before = usedHeap();
        for (int i = 0; i < rounds; i++) {
            round.play(i);
        }

        expectNothingLeft(before);
    }

    /** What a thread that has not run yet still holds is let go later. */
    private static void expectNothingLeft(long before) {
        Await.until("the heap is as it was", () -> usedHeap() - before < TOLERANCE);
    }

    /** What is in use after a collection; the smallest of some, for others allocate too. */
    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
