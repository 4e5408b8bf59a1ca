package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bodies that wait where suspending is hard for the JVM, or while somebody looks at their stack. */
@Stage.Coroutines
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorPinningTest {
    private final Stage stage;

    GeneratorPinningTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    @SuppressWarnings("WaitNotInLoop") // nothing is waited for but that the wait ends
    void othersRunWhileTheBodyWaitsForAMonitor() throws Exception {
        stage.run(skein -> {
            Object monitor = new Object();
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch seen = new CountDownLatch(1);
            AtomicReference<Thread> body = new AtomicReference<>(Thread.currentThread());
            Coroutine<?> holder = skein.orElseThrow().spawn(() -> {
                synchronized (monitor) {
                    held.countDown();
                    seen.await();
                }
            });
            Coroutine<?> witness = skein.orElseThrow().spawn(() -> {
                held.await();
                Await.until("the body waits for the monitor", () -> body.get().getState() == Thread.State.BLOCKED);
                seen.countDown();
            });
            Generator<String> generator = stage.of(emitter -> {
                held.await();
                body.set(Thread.currentThread());
                synchronized (monitor) {
                    assertThat(Thread.holdsLock(monitor)).isTrue();
                }
                emitter.emit("entered");
                synchronized (monitor) {
                    monitor.wait(1);
                    assertThat(Thread.holdsLock(monitor)).isTrue();
                }
                assertThat(Thread.holdsLock(monitor)).isFalse();
                emitter.emit("waited");
            });
            assertThat(generator.stream().toList()).containsExactly("entered", "waited");
            witness.join();
            holder.join();
        });
    }

    @Test
    void aStackTraceOfTheConsumerMayBeTakenAtAnyTime() throws Exception {
        stage.run(skein -> {
            Thread consumer = Thread.currentThread();
            AtomicInteger samples = new AtomicInteger();
            Thread sampler = Thread.ofPlatform().daemon().start(() -> {
                while (samples.get() < 2_000) {
                    consumer.getStackTrace();
                    samples.incrementAndGet();
                }
            });
            long sum = 0;
            long rounds = 0;
            while (samples.get() < 2_000) { // new ones: what is suspended for the first time takes the JVM longest
                Generator<Integer> generator = stage.numbers();
                generator.next();
                sum += generator.next();
                rounds++;
                if (!stage.isContinuation()) {
                    generator.close();
                }
            }
            assertThat(sum).isEqualTo(rounds);
            sampler.join();
        });
    }

    /** Runs what it is told to when it is initialised: then there is a native frame on the stack. */
    private static final class Initialiser {
        static Action play = () -> {};

        static void play(Class<?> holder, Action action) throws Exception {
            play = action;
            Class.forName(holder.getName(), true, holder.getClassLoader());
        }

        static void run() {
            try {
                play.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final class WaitingHolder {
        static {
            Initialiser.run();
        }
    }

    private static final class LockingHolder {
        static {
            Initialiser.run();
        }
    }

    @Test
    void whereTheConsumerCannotBeSuspendedTheBodyWaitsAllTheSame() throws Exception {
        assumeTrue(
                stage.isContinuation() && stage.place() == Stage.Place.STEALING_3,
                "a class is initialised once: another stage tries it");
        stage.run(skein -> {
            Thread consumer = Thread.currentThread();
            CountDownLatch latch = new CountDownLatch(1);
            Object monitor = new Object();
            AtomicInteger seen = new AtomicInteger();
            Generator<Integer> generator = stage.of(emitter -> {
                for (int i = 0; i < 3; i++) {
                    Thread.sleep(1);
                    latch.await();
                    synchronized (monitor) {
                        Thread.sleep(1);
                    }
                    emitter.emit(i);
                }
            });
            CountDownLatch held = new CountDownLatch(1);
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                synchronized (monitor) {
                    held.countDown();
                    Await.until("the body waits for the latch", () -> consumer.getState() == Thread.State.WAITING);
                    latch.countDown();
                    Await.until("the body is past the latch", () -> consumer.getState() != Thread.State.WAITING);
                }
            });
            held.await();
            Initialiser.play(WaitingHolder.class, () -> seen.addAndGet(1 + generator.next()));
            assertThat(generator.next()).isEqualTo(1);
            Initialiser.play(LockingHolder.class, () -> seen.addAndGet(1 + generator.next()));
            assertThat(seen).hasValue(4);
            other.join();
            generator.close();
        });
    }
}
