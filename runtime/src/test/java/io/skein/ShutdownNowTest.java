package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Setup.Each
class ShutdownNowTest extends RuntimeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    ShutdownNowTest(Setup setup) {
        super(setup);
    }

    /** Whether an interrupted coroutine counts as failed is not what these tests ask. */
    @BeforeEach
    void expectFailures() {
        expectUnheardFailures();
    }

    @Test
    void everyLiveCoroutineIsInterrupted() {
        AtomicInteger interrupted = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            Coroutine<?> coroutine = skein.spawn(() -> {
                try {
                    new Semaphore(0).acquire();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            });
            Await.untilWaiting(coroutine);
        }

        skein.shutdownNow();
        skein.close();

        assertThat(interrupted).hasValue(100);
    }

    /** Their owners do not listen to it, so that nobody else cancels them. */
    @Test
    void childrenOfScopesInScopesAreInterrupted() {
        Semaphore interrupted = new Semaphore(0);
        Semaphore waiting = new Semaphore(0);
        Action waits = () -> {
            waiting.release();
            try {
                new Semaphore(0).acquire();
            } catch (InterruptedException e) {
                interrupted.release();
            }
        };
        var _ = skein.spawn(() -> {
            try (Scope<Object, ?> outer = Scope.open();
                    Scope<Object, ?> inner = Scope.open()) {
                var _ = outer.fork(waits);
                var _ = inner.fork(() -> {
                    try (Scope<Object, ?> innermost = Scope.open()) {
                        var _ = innermost.fork(waits);
                        interrupted.acquireUninterruptibly(3);
                        interrupted.release(3);
                    }
                });
                var _ = inner.fork(waits);
                interrupted.acquireUninterruptibly(3);
                interrupted.release(3);
            }
        });
        waiting.acquireUninterruptibly(3);

        skein.shutdownNow();
        skein.close();

        assertThat(interrupted.availablePermits()).isEqualTo(3);
    }

    @Test
    void aChildThatIsForkedMeanwhileIsInterrupted() throws Exception {
        Collision.repeat(Duration.ofMillis(300), _ -> {
            Skein stopped = setup.builder().failureHandler((_, _) -> {}).start();
            Collision collision = new Collision(2);
            Semaphore interrupted = new Semaphore(0);
            Coroutine<?> owner = stopped.spawn(() -> {
                try (Scope<Object, ?> scope = Scope.open()) {
                    collision.meet();
                    for (int i = 0; i < 3; i++) {
                        var _ = scope.fork(() -> {
                            try {
                                new Semaphore(0).acquire();
                            } catch (InterruptedException e) {
                                interrupted.release();
                            }
                        });
                    }
                    interrupted.acquireUninterruptibly(3); // else the end of the scope would cancel them
                }
            });
            collision.meet();
            stopped.shutdownNow();

            closeWithinBound(stopped);
            assertThat(owner.isDone()).isTrue();
        });
    }

    @Test
    void shutdownNowDoesNotWait() throws Exception {
        Semaphore stubborn = new Semaphore(0);
        Coroutine<?> coroutine = skein.spawn(() -> {
            stubborn.acquireUninterruptibly();
        });
        Await.untilWaiting(coroutine);

        skein.shutdownNow();

        assertThat(coroutine.thread().isAlive()).isTrue();
        stubborn.release();
        skein.close();
    }

    @Test
    void newWorkFromOutsideIsRefusedAfterwards() {
        skein.shutdownNow();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> skein.spawn(() -> "too late"));
    }

    @Test
    void anAcceptThatWaitsDoesNotHoldTheShutdownUp() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Coroutine<?> acceptor = skein.spawn(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT)) {
                assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(listener::accept);
                interrupted.countDown();
            }
        });
        Await.untilWaiting(acceptor);

        skein.shutdownNow();
        skein.close();

        interrupted.await();
    }

    @Test
    void aReadThatWaitsDoesNotHoldTheShutdownUp() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Semaphore reading = new Semaphore(0);
        Coroutine<?> reader = skein.spawn(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT);
                    TcpStream client = TcpStream.connect(listener.localAddress());
                    TcpStream server = listener.accept()) {
                reading.release();
                assertThat(client.remoteAddress()).isEqualTo(server.localAddress());
                assertThatExceptionOfType(InterruptedIOException.class)
                        .isThrownBy(() -> server.read(ByteBuffer.allocate(1)));
                interrupted.countDown();
            }
        });
        reading.acquire();
        Await.untilWaiting(reader);

        skein.shutdownNow();
        skein.close();

        interrupted.await();
    }

    @Test
    void aRuntimeMayBeShutDownAndClosedInAnyOrderAndNumber() {
        skein.shutdownNow();
        skein.shutdownNow();
        skein.close();
        skein.shutdownNow();
        skein.close();
    }
}
