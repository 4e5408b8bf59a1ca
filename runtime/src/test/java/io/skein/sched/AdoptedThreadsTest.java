package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A virtual thread that a library starts inside a coroutine lives on the workers, counts, and is waited for. */
@Mode.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class AdoptedThreadsTest extends ModeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    private final CountDownLatch release = new CountDownLatch(1);

    AdoptedThreadsTest(Mode mode) {
        super(mode);
    }

    @Test
    void itRunsOnAWorker() throws Exception {
        AtomicInteger carrier = new AtomicInteger(-1);
        AtomicReference<Skein> current = new AtomicReference<>();
        skein.blockOn(() -> Thread.startVirtualThread(() -> {
                    carrier.set(Carrier.number());
                    current.set(Skein.current());
                })
                .join());

        assertThat(carrier.get()).isBetween(0, mode.workers() - 1);
        assertThat(current.get()).isSameAs(skein);
    }

    @Test
    void itIsCountedUntilItEnds() throws Exception {
        List<Thread> threads = startThreads(5, this::awaitRelease);
        threads.forEach(Await::untilWaiting);
        Await.until("its starter has left", () -> skein.metrics().liveCoroutines() == 5);

        release.countDown();

        Await.until("all have left", () -> skein.metrics().liveCoroutines() == 0);
    }

    @Test
    void aCloseWaitsForIt() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        startThreads(5, () -> {
            awaitRelease();
            Thread.yield();
            ended.incrementAndGet();
        });
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);
        Await.untilWaiting(closer);
        assertThat(skein.close(Duration.ofMillis(1))).isFalse();

        release.countDown();
        closer.join();

        assertThat(ended).hasValue(5);
    }

    @Test
    void aLoopWaitsForIt() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        List<Thread> threads = startThreads(1, () -> {
            awaitRelease();
            ended.set(true);
        });
        Await.untilWaiting(threads.getFirst());
        var _ = skein.spawn(release::countDown);

        skein.loop();

        assertThat(ended).isTrue();
    }

    @Test
    void whileTheRuntimeClosesItMayStillStartOthersAndSpawn() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        startThreads(1, () -> {
            awaitRelease();
            Thread.startVirtualThread(() -> Thread.startVirtualThread(ended::incrementAndGet));
            var _ = Skein.current().spawn(ended::incrementAndGet);
        });
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);
        Await.untilWaiting(closer);

        release.countDown();
        closer.join();

        assertThat(ended).hasValue(2);
    }

    @Test
    void aShutdownInterruptsIt() throws Exception {
        AtomicInteger interrupted = new AtomicInteger();
        List<Thread> threads = startThreads(5, () -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        });
        threads.forEach(Await::untilWaiting);

        assertThat(skein.shutdownNow(Duration.ofSeconds(20))).isTrue();

        assertThat(interrupted).hasValue(5);
    }

    @Test
    void itDoesInputAndOutput() throws Exception {
        AtomicInteger received = new AtomicInteger();
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT);
                    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                var server = executor.submit(() -> {
                    try (TcpStream stream = listener.accept()) {
                        ByteBuffer buffer = ByteBuffer.allocate(16);
                        while (stream.read(buffer.clear()) >= 0) {
                            received.addAndGet(buffer.position());
                        }
                    }
                    return "served";
                });
                var client = executor.submit(() -> {
                    try (TcpStream stream = TcpStream.connect(listener.localAddress())) {
                        for (int i = 0; i < 100; i++) {
                            stream.write(ByteBuffer.allocate(10));
                        }
                    }
                    return "sent";
                });
                assertThat(client.get()).isEqualTo("sent");
                assertThat(server.get()).isEqualTo("served");
            }
        });

        assertThat(received).hasValue(1000);
    }

    @Test
    void itCallsBlockingCode() throws Exception {
        AtomicReference<Thread> ranOn = new AtomicReference<>();
        skein.blockOn(() -> Thread.startVirtualThread(() -> {
                    try {
                        ranOn.set(Skein.blocking(Thread::currentThread));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .join());

        assertThat(ranOn.get().isVirtual()).isFalse();
    }

    @Test
    void tenThousandThatComeAndGoAreCountedOutAgain() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        List<Thread> threads = startThreads(10_000, () -> {
            Thread.yield();
            ran.incrementAndGet();
        });
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(ran).hasValue(10_000);
        Await.until("all have left", () -> skein.metrics().liveCoroutines() == 0);
    }

    /** Starts threads from inside a coroutine that then ends. */
    private List<Thread> startThreads(int count, Runnable body) throws InterruptedException {
        return skein.blockOn(() -> {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                threads.add(Thread.startVirtualThread(body));
            }
            return threads;
        });
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
