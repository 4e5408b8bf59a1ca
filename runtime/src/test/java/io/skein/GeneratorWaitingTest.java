package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A body that waits suspends the coroutine that reads it. Where there is one worker, these tests end only if the worker
 * is let go of meanwhile: what is waited for is done by another coroutine.
 */
@Stage.Coroutines
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorWaitingTest {
    private final Stage stage;

    GeneratorWaitingTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void theBodyWaitsForAnotherCoroutine() throws Exception {
        stage.run(skein -> {
            Generator<Integer> generator = stage.of(emitter -> {
                for (int i = 0; i < 100; i++) {
                    int number = i;
                    emitter.emit(skein.orElseThrow().spawn(() -> number).join());
                }
            });
            int expected = 0;
            for (int element : generator) {
                assertThat(element).isEqualTo(expected++);
            }
            assertThat(expected).isEqualTo(100);
        });
    }

    @Test
    void othersRunWhileTheBodySleepsOrParks() throws Exception {
        stage.run(skein -> {
            CountDownLatch first = new CountDownLatch(1);
            CyclicBarrier second = new CyclicBarrier(2);
            ReentrantLock lock = new ReentrantLock();
            Coroutine<?> other = skein.orElseThrow().spawn(() -> {
                lock.lock();
                try {
                    first.countDown();
                    Thread.sleep(1);
                } finally {
                    lock.unlock();
                }
                second.await();
            });
            Generator<String> generator = stage.of(emitter -> {
                first.await();
                emitter.emit("after a latch");
                assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
                lock.unlock();
                emitter.emit("after a lock");
                second.await();
                emitter.emit("after a barrier");
                Thread.sleep(1);
                emitter.emit("after a sleep");
            });
            assertThat(generator.stream().toList())
                    .containsExactly("after a latch", "after a lock", "after a barrier", "after a sleep");
            other.join();
        });
    }

    @Test
    void theBodyReadsFromASocket() throws Exception {
        stage.run(skein -> {
            try (TcpListener listener = TcpListener.bind("127.0.0.1", 0)) {
                Coroutine<?> server = skein.orElseThrow().spawn(() -> {
                    try (TcpStream stream = listener.accept()) {
                        for (byte i = 0; i < 100; i++) {
                            stream.write(ByteBuffer.wrap(new byte[] {i}));
                            if (i % 10 == 0) {
                                Thread.sleep(1);
                            }
                        }
                    }
                });
                Generator<Byte> bytes = stage.of(emitter -> {
                    try (TcpStream stream = TcpStream.connect(listener.localAddress())) {
                        ByteBuffer buffer = ByteBuffer.allocate(16);
                        while (stream.read(buffer) >= 0) {
                            buffer.flip();
                            while (buffer.hasRemaining()) {
                                emitter.emit(buffer.get());
                            }
                            buffer.clear();
                        }
                    }
                });
                byte expected = 0;
                for (byte element : bytes) {
                    assertThat(element).isEqualTo(expected++);
                }
                assertThat(expected).isEqualTo((byte) 100);
                server.join();
            }
        });
    }

    @Test
    void manyCoroutinesReadGeneratorsThatWaitAndMoveBetweenWorkers() throws Exception {
        stage.run(skein -> {
            int readers = 20;
            int elements = 300;
            List<Coroutine<?>> coroutines = new ArrayList<>();
            for (int reader = 0; reader < readers; reader++) {
                coroutines.add(skein.orElseThrow().spawn(() -> readWithMonitors(elements)));
            }
            for (Coroutine<?> coroutine : coroutines) {
                coroutine.join();
            }
        });
    }

    /** The body gives way before each element, and both sides enter and leave monitors in between. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void readWithMonitors(int elements) {
        Object outer = new Object();
        Object inner = new Object();
        Thread consumer = Thread.currentThread();
        Generator<Integer> generator = stage.of(emitter -> {
            for (int i = 0; i < elements; i++) {
                synchronized (inner) {
                    Thread.yield();
                    assertThat(Thread.holdsLock(inner)).isTrue();
                }
                if (stage.isContinuation()) {
                    assertThat(Thread.currentThread()).isSameAs(consumer);
                    assertThat(Thread.holdsLock(outer)).isEqualTo(i % 2 == 0);
                }
                emitter.emit(i);
            }
        });
        for (int i = 0; i < elements; i++) {
            if (i % 2 == 0) {
                synchronized (outer) {
                    assertThat(generator.next()).isEqualTo(i);
                    assertThat(Thread.holdsLock(outer)).isTrue();
                }
            } else {
                assertThat(generator.next()).isEqualTo(i);
            }
            assertThat(Thread.holdsLock(outer)).isFalse();
            assertThat(Thread.holdsLock(inner)).isFalse();
        }
        assertThat(generator.hasNext()).isFalse();
    }

    @Test
    void cancellingTheConsumerReachesTheBodyWhereItWaits() throws Exception {
        stage.run(skein -> {
            CountDownLatch waiting = new CountDownLatch(1);
            CountDownLatch finallyRan = new CountDownLatch(1);
            Coroutine<Integer> consumer = skein.orElseThrow()
                    .spawn(() -> stage.<Integer>of(emitter -> {
                                try {
                                    waiting.countDown();
                                    new CountDownLatch(1).await();
                                } finally {
                                    finallyRan.countDown();
                                }
                            })
                            .next());
            waiting.await();
            consumer.cancel(true);
            assertThatExceptionOfType(CancellationException.class)
                    .isThrownBy(consumer::join)
                    .havingCause()
                    .isInstanceOf(CompletionException.class)
                    .withCauseInstanceOf(InterruptedException.class);
            finallyRan.await();
        });
    }
}
