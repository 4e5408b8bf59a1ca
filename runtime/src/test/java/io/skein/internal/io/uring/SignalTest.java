package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.linux.Libc;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Signals that hit the driver's thread, in its sleep and at work. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class SignalTest {
    private static final int SIGNALS = 50;

    @Test
    void aSleepingDriverIsWokenByEachSignalAndSleepsAgain() throws Exception {
        try (Signals signals = new Signals();
                LoneDriver driver = new LoneDriver(8, 16, 0)) {
            int thread = Signals.threadNamed("lone-driver");
            for (int i = 0; i < SIGNALS; i++) {
                long before = driver.enters();

                Await.until("the sleep was broken off and begun again", () -> {
                    Signals.awaitSleep(
                            thread); // where in the virtual machine or the kernel is not told, so one may miss
                    signals.send(thread);
                    return driver.enters() >= before + 2;
                });
            }
            assertThat(new Nop().perform(driver)).isZero();
        }
    }

    @Test
    void operationsInFlightOutliveSignals() throws Exception {
        long memory = Libc.allocate(1);
        try (Signals signals = new Signals();
                LoneDriver driver = new LoneDriver(8, 16, 0);
                Pipe pipe = Pipe.open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            int thread = Signals.threadNamed("lone-driver");
            AnyOperation read = AnyOperation.read(pipe.exit(), memory, 1);
            Future<Integer> result = threads.submit(() -> read.perform(driver));
            Await.until("the read is in flight", () -> driver.ask(read::isInFlightOn));

            for (int i = 0; i < SIGNALS; i++) {
                Signals.awaitSleep(thread);
                signals.send(thread);
            }

            assertThat(driver.ask(read::isInFlightOn)).isTrue();
            assertThat(AnyOperation.write(pipe.entry(), memory, 1).perform(driver))
                    .isEqualTo(1);
            assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        } finally {
            Libc.free(memory);
        }
    }

    @Test
    void underAStormOfSignalsEveryOperationEndsOnce() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (Signals signals = new Signals();
                LoneDriver driver = new LoneDriver(2, 4, 0)) {
            int thread = Signals.threadNamed("lone-driver");
            Thread storm = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    signals.send(thread);
                }
            });
            try {
                for (int i = 0; i < 3000; i++) {
                    assertThat(new Nop().perform(driver)).isZero();
                }
            } finally {
                over.set(true);
                storm.join();
            }
        }
    }
}
