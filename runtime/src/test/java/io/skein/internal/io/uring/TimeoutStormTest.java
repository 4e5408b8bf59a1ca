package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.LeakCheck;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import io.skein.time.Deadline;
import io.skein.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Thousands of reads whose time is up at the same moment: far more cancels than a submission queue holds. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class TimeoutStormTest {
    private static final int READS = 5000;

    @Test
    void fiveThousandReadsTimeOutAtOnceOnAQueueOf256AndAllOfThemEnd() throws Exception {
        long memory = Libc.allocate(READS + 1);
        AtomicInteger timedOut = new AtomicInteger();
        Setup setup = new Setup(DriverKind.URING, 1, 256);
        try (Skein skein = setup.builder().watchdog(Duration.ZERO).start();
                Pipe pipe = Pipe.open()) {
            Scheduler scheduler = SchedulerAccess.of(skein);
            Deadline deadline = Deadline.after(Duration.ofSeconds(2));
            List<Coroutine<?>> readers = new ArrayList<>();
            for (int i = 0; i < READS; i++) {
                long target = memory + i;
                readers.add(skein.spawn(() -> {
                    try {
                        Time.timeout(deadline, () -> {
                            int result =
                                    AnyOperation.read(pipe.exit(), target, 1).perform(scheduler);
                            assertThat(Errno.ECANCELED.is(result)).isTrue();
                            throw new InterruptedException();
                        });
                    } catch (TimeoutException e) {
                        timedOut.incrementAndGet();
                    }
                }));
            }
            for (Coroutine<?> reader : readers) {
                reader.join();
            }
            assertThat(timedOut).hasValue(READS);

            int read = skein.blockOn(
                    () -> { // nobody is left in the pipe who would take this byte
                        AnyOperation.write(pipe.entry(), memory, 1).perform(scheduler);
                        return AnyOperation.read(pipe.exit(), memory + READS, 1).perform(scheduler);
                    });
            assertThat(read).isEqualTo(1);
        } finally {
            Libc.free(memory);
        }
    }
}
