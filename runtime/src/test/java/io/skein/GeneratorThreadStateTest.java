package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a thread has besides its stack: monitors, the interrupt status, scoped values. Each side keeps its own. */
@Stage.Each
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorThreadStateTest {
    private static final ScopedValue<String> VALUE = ScopedValue.newInstance();

    private final Stage stage;

    GeneratorThreadStateTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void aConsumerKeepsItsMonitorsAndOnlyThose() throws Exception {
        stage.run(() -> {
            Object[] monitors = new Object[12];
            for (int i = 0; i < monitors.length; i++) {
                monitors[i] = new Object();
            }
            for (int held = 0; held <= monitors.length; held++) {
                try (Generator<Integer> numbers = stage.numbers()) {
                    nextHolding(numbers, monitors, held);
                    nextHolding(numbers, monitors, 0);
                    for (Object monitor : monitors) {
                        assertThat(Thread.holdsLock(monitor)).isFalse();
                        assertFree(monitor);
                    }
                }
            }
        });
    }

    /** Enters so many of the monitors, each twice, and reads an element inside. */
    private static void nextHolding(Generator<Integer> numbers, Object[] monitors, int held) {
        if (held == 0) {
            numbers.next();
            return;
        }
        Object monitor = monitors[held - 1];
        synchronized (monitor) {
            synchronized (monitor) {
                nextHolding(numbers, monitors, held - 1);
                assertThat(Thread.holdsLock(monitor)).isTrue();
            }
            monitor.notifyAll(); // throws if the JVM thinks otherwise
        }
    }

    private static void assertFree(Object monitor) throws InterruptedException {
        Thread other = Thread.ofPlatform().daemon().start(() -> {
            synchronized (monitor) {
                monitor.notifyAll();
            }
        });
        other.join();
    }

    @Test
    void othersAreKeptOutOfTheConsumersMonitorWhileTheBodyRuns() throws Exception {
        stage.run(() -> {
            Object monitor = new Object();
            int[] count = new int[1];
            int rounds = 2_000;
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < rounds; i++) {
                    synchronized (monitor) {
                        count[0]++;
                    }
                }
            });
            Generator<Integer> generator = stage.of(emitter -> {
                for (int i = 0; i < rounds; i++) {
                    count[0]++; // guarded by the consumer, who waits
                    emitter.emit(i);
                }
            });
            for (int i = 0; i < rounds; i++) {
                synchronized (monitor) {
                    generator.next();
                }
            }
            other.join();
            assertThat(count[0]).isEqualTo(2 * rounds);
            generator.close();
        });
    }

    @Test
    void theInterruptStatusIsSharedLikeThatOfOneThread() throws Exception {
        stage.run(() -> {
            Generator<Boolean> generator = stage.of(emitter -> {
                emitter.emit(Thread.currentThread().isInterrupted());
                emitter.emit(Thread.interrupted());
                emitter.emit(Thread.interrupted());
                Thread.currentThread().interrupt();
                emitter.emit(true);
            });
            Thread.currentThread().interrupt();
            assertThat(generator.next()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(generator.next()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(generator.next()).isFalse();
            generator.next();
            assertThat(Thread.interrupted()).isTrue();
            generator.close();
        });
    }

    @Test
    void anInterruptOfTheConsumerReachesTheBodyWhereItWaits() throws Exception {
        stage.run(() -> {
            Thread consumer = Thread.currentThread();
            CountDownLatch waiting = new CountDownLatch(1);
            Thread interrupter = Thread.ofPlatform().daemon().start(() -> {
                try {
                    waiting.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                consumer.interrupt();
            });
            Generator<String> generator = stage.of(emitter -> {
                try {
                    waiting.countDown();
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    emitter.emit("interrupted");
                }
            });
            assertThat(generator.next()).isEqualTo("interrupted");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(generator.hasNext()).isFalse();
            interrupter.join();
        });
    }

    @Test
    void noInterruptIsLostWhereverItComes() throws Exception {
        stage.run(() -> {
            Thread consumer = Thread.currentThread();
            AtomicReference<CountDownLatch> go = new AtomicReference<>(new CountDownLatch(1));
            int rounds = 300;
            Thread interrupter = Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < rounds; i++) {
                    CountDownLatch latch = go.get();
                    while (latch.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    consumer.interrupt();
                    while (go.get() == latch) {
                        Thread.onSpinWait();
                    }
                }
            });
            int[] taken = new int[1];
            Generator<Integer> generator = stage.of(emitter -> {
                while (true) {
                    if (Thread.interrupted()) {
                        taken[0]++;
                    }
                    emitter.emit(0);
                }
            });
            for (int i = 1; i <= rounds; i++) {
                CountDownLatch latch = go.get();
                latch.countDown();
                while (taken[0] < i) {
                    generator.next();
                    if (Thread.interrupted()) {
                        taken[0]++;
                    }
                }
                assertThat(taken[0]).isEqualTo(i);
                go.set(new CountDownLatch(1));
            }
            interrupter.join();
            generator.close();
        });
    }

    @Test
    void scopedValuesOfTheBodyAndOfTheConsumerAreKeptApart() throws Exception {
        assumeTrue(stage.isContinuation(), "scoped values do not go along to another thread");
        stage.run(() -> {
            Generator<String> generator = stage.of(emitter -> {
                emitter.emit(VALUE.get());
                ScopedValue.where(VALUE, "body's").run(() -> {
                    emitter.emit(VALUE.get());
                    emitter.emit(VALUE.get());
                });
                emitter.emit(VALUE.get());
            });
            ScopedValue.where(VALUE, "consumer's").run(() -> {
                assertThat(generator.next()).isEqualTo("consumer's");
                assertThat(generator.next()).isEqualTo("body's");
                assertThat(VALUE.get()).isEqualTo("consumer's");
                ScopedValue.where(VALUE, "inner").run(() -> {
                    assertThat(generator.next()).isEqualTo("body's");
                    assertThat(VALUE.get()).isEqualTo("inner");
                });
                assertThat(generator.next()).isEqualTo("consumer's");
                assertThat(VALUE.get()).isEqualTo("consumer's");
            });
            assertThat(VALUE.isBound()).isFalse();
            generator.close();
            assertThat(VALUE.isBound()).isFalse();
        });
    }
}
