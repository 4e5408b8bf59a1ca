package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Skein;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The views of a runtime for libraries that know executors and thread factories. */
@Mode.Each
class ExecutorTest extends ModeTest {
    ExecutorTest(Mode mode) {
        super(mode);
    }

    @Test
    void completableFuturesRunTheirStagesInCoroutines() throws Exception {
        ExecutorService executor = skein.executor();

        String value = CompletableFuture.supplyAsync(this::whereAmI, executor)
                .thenCombineAsync(
                        CompletableFuture.supplyAsync(this::whereAmI, executor),
                        (first, second) -> first + second + whereAmI(),
                        executor)
                .get();

        assertThat(value).isEqualTo("coroutinecoroutinecoroutine");
    }

    @Test
    void aTaskGivesItsValueOrItsFailure() throws Exception {
        try (ExecutorService executor = skein.executor()) {
            Future<Integer> value = executor.submit(() -> 42);
            Future<Integer> failure = executor.submit(() -> {
                throw new IOException("no answer");
            });

            assertThat(value.get()).isEqualTo(42);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(failure::get)
                    .withCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void manyTasksThatWaitForEachOtherAllRun() throws Exception {
        CountDownLatch together = new CountDownLatch(100);
        try (ExecutorService executor = skein.executor()) {
            List<Future<Integer>> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int number = i;
                futures.add(executor.submit(() -> {
                    together.countDown();
                    together.await();
                    return number;
                }));
            }
            int sum = 0;
            for (Future<Integer> future : futures) {
                sum += future.get();
            }
            assertThat(sum).isEqualTo(4950);
        }
    }

    @Test
    void aTaskThatIsCancelledIsInterrupted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (ExecutorService executor = skein.executor()) {
            Future<?> future = executor.submit(() -> {
                started.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
            started.await();

            future.cancel(true);

            interrupted.await();
            assertThatExceptionOfType(CancellationException.class).isThrownBy(future::get);
        }
    }

    @Test
    void aNamedOneNumbersItsCoroutines() throws Exception {
        try (ExecutorService executor = skein.executor("http")) {
            assertThat(executor.submit(() -> Coroutine.current().name()).get()).isEqualTo("http-0");
            assertThat(executor.submit(() -> Coroutine.current().name()).get()).isEqualTo("http-1");
        }
        assertThat(skein.threadFactory("mail").newThread(() -> {}).getName()).isEqualTo("mail-0");
    }

    @Test
    void shuttingItDownLeavesTheRuntimeAlone() throws Exception {
        ExecutorService executor = skein.executor();
        CountDownLatch release = new CountDownLatch(1);
        Future<String> future = executor.submit(() -> {
            release.await();
            return "finished";
        });

        executor.shutdown();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.submit(() -> "late"));
        assertThat(executor.awaitTermination(0, TimeUnit.SECONDS)).isFalse();
        release.countDown();

        assertThat(future.get()).isEqualTo("finished");
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(skein.blockOn(() -> "alive")).isEqualTo("alive");
    }

    @Test
    void shuttingItDownNowInterruptsItsTasksAndNoOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        var other = skein.spawn(() -> {
            release.await();
            return "undisturbed";
        });
        ExecutorService executor = skein.executor();
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        executor.execute(() -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        started.await();

        executor.shutdownNow();

        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(interrupted).isTrue();
        release.countDown();
        assertThat(other.join()).isEqualTo("undisturbed");
    }

    @Test
    void closingTheRuntimeWaitsForTasksAndThenRefusesThem() throws Exception {
        ExecutorService executor = skein.executor();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            executor.execute(ran::incrementAndGet);
        }

        skein.close();

        assertThat(ran).hasValue(100);
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.execute(() -> {}));
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.submit(() -> "late"));
        executor.close();
    }

    @Test
    void aThreadOfTheFactoryIsACoroutineOnceItIsStarted() throws Exception {
        AtomicInteger carrier = new AtomicInteger(-1);
        Thread thread = skein.threadFactory().newThread(() -> carrier.set(Carrier.number()));
        assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
        assertThat(thread.isVirtual()).isTrue();
        assertThat(skein.metrics().liveCoroutines()).isZero();

        thread.start();
        thread.join();

        assertThat(carrier.get()).isBetween(0, mode.workers() - 1);
        Await.until("it has left", () -> skein.metrics().liveCoroutines() == 0);
    }

    @Test
    void aThreadThatIsNeverStartedDoesNotHoldTheCloseUp() {
        Thread thread = skein.threadFactory().newThread(() -> {});

        skein.close();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(thread::start);
    }

    @Test
    void aThreadThatFailsReachesTheFailureHandler() throws Exception {
        expectUnheardFailures();
        IllegalStateException failure = new IllegalStateException("thread snapped");
        Thread thread = skein.threadFactory().newThread(() -> {
            throw failure;
        });

        thread.start();
        thread.join();
        skein.close();

        assertThat(unheardFailures).containsExactly(failure);
    }

    private String whereAmI() {
        return Skein.current() == skein ? "coroutine" : Thread.currentThread().toString();
    }
}
