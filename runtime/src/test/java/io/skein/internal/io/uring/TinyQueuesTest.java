package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.LeakCheck;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.internal.linux.Libc;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queues that are far too small for what goes through them: somebody waits, and nothing is lost. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class TinyQueuesTest {
    private static final int OPERATIONS = 10_000;

    @Test
    void aSubmissionQueueOfTwoTakesTenThousandOperationsOfCoroutines() throws Exception {
        Setup setup = new Setup(DriverKind.URING, 1, 2);
        try (Skein skein = setup.builder().start()) {
            Scheduler scheduler = SchedulerAccess.of(skein);
            List<Coroutine<Integer>> coroutines = new ArrayList<>();
            for (int i = 0; i < OPERATIONS; i++) {
                coroutines.add(skein.spawn(() -> new Nop().perform(scheduler)));
            }
            for (Coroutine<Integer> coroutine : coroutines) {
                assertThat(coroutine.join()).isZero();
            }
        }
    }

    @Test
    void aSubmissionQueueOfTwoTakesTenThousandOperationsOfOtherThreads() throws Exception {
        try (LoneDriver driver = new LoneDriver(2, 4, 0);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> nop = () -> new Nop().perform(driver);
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < OPERATIONS; i++) {
                results.add(threads.submit(nop));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get()).isZero();
            }
        }
    }

    @Test
    void aCompletionQueueOfFourThatOverflowsLosesNothing() throws Exception {
        overflow(Duration.ofSeconds(1));
    }

    @Test
    @Tag("long")
    void aCompletionQueueOfFourThatOverflowsForTenSecondsLosesNothing() throws Exception {
        overflow(Duration.ofSeconds(10));
    }

    /** Many wait for one eventfd, which lets all of them go at once, again and again. */
    private static void overflow(Duration duration) throws Exception {
        int waiters = 200;
        int eventfd = Libc.eventfd();
        AtomicLong overflows = new AtomicLong();
        long counter = Libc.allocate(Long.BYTES);
        try (LoneDriver driver = new LoneDriver(4, 4, 0);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long end = System.nanoTime() + duration.toNanos();
            int rounds = 0;
            while (System.nanoTime() - end < 0 || rounds == 0) {
                List<Future<Integer>> results = new ArrayList<>();
                for (int i = 0; i < waiters; i++) {
                    results.add(threads.submit(() -> new OverflowNoticing(eventfd, overflows).perform(driver)));
                }
                driver.ask(
                        UringDriver
                                ::enters); // most have gone to the kernel by now; those that come later find it ready
                Libc.signalEventfd(eventfd);
                for (Future<Integer> result : results) {
                    assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(Poll.IN);
                }
                assertThat(AnyOperation.read(eventfd, counter, Long.BYTES).perform(driver))
                        .isEqualTo(Long.BYTES);
                rounds++;
            }
            assertThat(overflows).as("completions seen while others overflowed").hasPositiveValue();
        } finally {
            Libc.close(eventfd);
            Libc.free(counter);
        }
    }

    /** A poll that looks, when it ends, whether the kernel holds completions back. */
    private static final class OverflowNoticing extends UringOperation {
        private final Poll poll;
        private final AtomicLong overflows;

        OverflowNoticing(int eventfd, AtomicLong overflows) {
            this.poll = new Poll(eventfd, Poll.IN);
            this.overflows = overflows;
        }

        @Override
        public void fill(Sqe sqe) {
            poll.fill(sqe);
        }

        @Override
        public void completed(UringDriver driver, int result, int flags, boolean isLast) {
            if (driver.ring().submissions().overflown()) {
                overflows.incrementAndGet();
            }
            super.completed(driver, result, flags, isLast);
        }
    }
}
