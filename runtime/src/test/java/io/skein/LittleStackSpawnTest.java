package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.sync.Semaphore;
import io.skein.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A coroutine that runs out of stack where it starts, wakes or waits for others: whoever was queued is run, nobody else is lost, and the
 * runtime closes.
 */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class LittleStackSpawnTest {
    private final LongAdder bodies = new LongAdder();

    @SuppressWarnings("NullAway.Init") // by start, the first step of each test
    private Skein skein;

    private void start(int workers, Scheduling scheduling) {
        skein = Skein.builder()
                .workers(workers)
                .scheduling(scheduling)
                .stackSize(LittleStack.SIZE)
                .watchdog(Duration.ZERO)
                .start();
    }

    @AfterEach
    void close() throws InterruptedException {
        assertThat(skein.close(Duration.ofSeconds(20))).as("closed in time").isTrue();
    }

    private void inLittleStack(Action step) throws Exception {
        LittleStack stack = new LittleStack(100);
        skein.blockOn(() -> stack.run(step, 4));
        assertThat(stack.overflows()).isPositive();
        assertThat(stack.done()).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void spawningLosesNobody(Scheduling scheduling) throws Exception {
        start(1, scheduling);
        LongAdder spawned = new LongAdder();
        inLittleStack(() -> {
            Coroutine<?> one = skein.spawn(bodies::increment);
            spawned.increment();
            assertThat(one.isCancelled()).isFalse();
        });
        Await.until("all that were spawned have run", () -> bodies.sum() >= spawned.sum());
        assertThat(bodies.sum() - spawned.sum())
                .as("ran though its spawn failed")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void forkingLosesNobodyAndTheScopeEnds(int workers) throws Exception {
        start(workers, Scheduling.STEALING);
        inLittleStack(() -> {
            try (var scope = Scope.<Object>open()) {
                Coroutine<Object> child = scope.fork(() -> {
                    bodies.increment();
                    return "done";
                });
                scope.join();
                assertThat(child.isDone()).isTrue();
            }
        });
        assertThat(bodies.sum()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void joiningTellsOrFails(int workers) throws Exception {
        start(workers, Scheduling.STEALING);
        inLittleStack(() -> {
            Coroutine<String> one = skein.spawn(call("value"));
            assertThat(one.join()).isEqualTo("value");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sleepsAndLimitsLeaveNoTimer(int workers) throws Exception {
        start(workers, Scheduling.STEALING);
        inLittleStack(() -> Time.timeout(Duration.ofSeconds(30), () -> Time.sleep(Duration.ofNanos(100_000))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void virtualThreadsThatAreStartedInCoroutinesLoseNobody(int workers) throws Exception {
        start(workers, Scheduling.STEALING);
        LongAdder started = new LongAdder();
        inLittleStack(() -> {
            Thread.startVirtualThread(bodies::increment);
            started.increment();
        });
        Await.until("all that were started have run", () -> bodies.sum() >= started.sum());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void virtualThreadsThatWereStartedInCoroutinesAreWoken(int workers) throws Exception {
        start(workers, Scheduling.STEALING);
        int count = 500; // more than there are steps
        Semaphore permits = new Semaphore(0);
        List<Thread> waiting = skein.blockOn(() -> {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(Thread.startVirtualThread(new FutureTask<>(() -> {
                    permits.acquire();
                    bodies.increment();
                    return true;
                })));
            }
            return all;
        });
        waiting.forEach(Await::untilWaiting);

        inLittleStack(permits::release);
        permits.release(count);

        Await.until("all have been woken", () -> bodies.sum() == count);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTaskThatWasBegunEndsAsItsBodyDoes(int workers) throws Exception {
        start(workers, Scheduling.STEALING);
        List<Task<String>> tasks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            inLittleStack(() -> {
                Task<String> task = Task.of(call("value"));
                tasks.add(task);
                assertThat(task.await()).isEqualTo("value");
            });
        }
        for (Task<String> task : tasks) {
            assertThat(task.await()).isEqualTo("value");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCallThatAnActionEndsIsOverOrCancelledWhenItsCallerGoesOn(int workers) throws Exception {
        start(workers, Scheduling.STEALING);
        AtomicReference<Object> latest = new AtomicReference<>();
        LongAdder strays = new LongAdder();
        inLittleStack(() -> {
            Object caller = new Object();
            latest.set(caller);
            Coroutine.endedBy(() -> {}, () -> {
                if (latest.get() != caller && !Thread.currentThread().isInterrupted()) {
                    strays.increment();
                }
                return "done";
            });
        });
        assertThat(strays.sum())
                .as("ran as ever after their callers had gone on")
                .isZero();
    }

    private static <T> Callable<T> call(T value) {
        return () -> value;
    }
}
