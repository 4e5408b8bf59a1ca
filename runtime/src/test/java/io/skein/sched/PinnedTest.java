package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Action;
import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Dispatch;
import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Under pinned scheduling a coroutine stays on its worker, whatever it waits for and whoever wakes it. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class PinnedTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    private Skein skein;

    @BeforeEach
    void start() {
        skein = new Mode(Scheduling.PINNED, 3).builder().runQueueCapacity(4).start();
    }

    @AfterEach
    void close() {
        skein.close();
    }

    @Test
    void aCoroutineThatYieldsStays() throws Exception {
        onEveryWorker(() -> {
            for (int i = 0; i < 200; i++) {
                Thread.yield();
                stay();
            }
        });
    }

    @Test
    void aCoroutineThatIsUnparkedByCoroutinesOnOtherWorkersStays() throws Exception {
        BlockingQueue<Integer> ball = new LinkedBlockingQueue<>(List.of(0));
        onEveryWorker(() -> {
            for (int i = 0; i < 300; i++) {
                int value = ball.take();
                stay();
                ball.put(value + 1);
                stay();
            }
        });
    }

    @Test
    void aCoroutineThatIsUnparkedFromOutsideStays() throws Exception {
        Semaphore permits = new Semaphore(0);
        List<Coroutine<?>> coroutines = spawnEverywhere(() -> {
            for (int i = 0; i < 200; i++) {
                permits.acquire();
                stay();
            }
        });
        for (int i = 0; i < 200 * coroutines.size(); i++) {
            permits.release();
        }
        joinAll(coroutines);
    }

    @Test
    void aCoroutineThatSleepsStays() throws Exception {
        onEveryWorker(() -> {
            for (int i = 0; i < 10; i++) {
                Thread.sleep(1);
                stay();
                LockSupport.parkNanos(100_000);
                stay();
            }
        });
    }

    @Test
    void aCoroutineThatContendsForAMonitorStays() throws Exception {
        Object monitor = new Object();
        onEveryWorker(() -> {
            for (int i = 0; i < 100; i++) {
                synchronized (monitor) {
                    Thread.yield();
                    stay();
                }
                stay();
            }
        });
    }

    @Test
    void aCoroutineThatDoesInputAndOutputStays() throws Exception {
        onEveryWorker(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT)) {
                Coroutine<?> echo = Skein.current().spawn(Dispatch.to((Carrier.number() + 1) % 3), () -> {
                    try (TcpStream stream = listener.accept()) {
                        HOME.set(Carrier.number());
                        ByteBuffer buffer = ByteBuffer.allocate(8);
                        while (stream.read(buffer) >= 0) {
                            stay();
                            stream.write(buffer.flip());
                            stay();
                            buffer.clear();
                        }
                    }
                });
                try (TcpStream stream = TcpStream.connect(listener.localAddress())) {
                    stay();
                    for (int i = 0; i < 50; i++) {
                        stream.write(ByteBuffer.allocate(8));
                        stay();
                        stream.read(ByteBuffer.allocate(8));
                        stay();
                    }
                }
                echo.join();
            }
        });
    }

    @Test
    void aCoroutineThatReadsFromASocketOfTheJdkStays() throws Exception {
        onEveryWorker(() -> {
            try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                    Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket accepted = server.accept()) {
                for (int i = 0; i < 20; i++) {
                    Coroutine<?> writer =
                            Skein.current().spawn(() -> client.getOutputStream().write(1));
                    assertThat(accepted.getInputStream().read()).isEqualTo(1);
                    stay();
                    writer.join();
                    stay();
                }
            }
        });
    }

    @Test
    void aThreadThatALibraryStartsStaysWithTheCoroutineThatStartedIt() throws Exception {
        onEveryWorker(() -> {
            int parent = Carrier.number();
            List<Integer> seen = new ArrayList<>();
            Thread child = Thread.startVirtualThread(() -> {
                for (int i = 0; i < 50; i++) {
                    Thread.yield();
                    seen.add(Carrier.number());
                }
            });
            child.join();

            assertThat(seen).hasSize(50).containsOnly(parent);
        });
    }

    @Test
    void spawnsFromInsideAreDispatchedToo() throws Exception {
        List<Integer> chosen = skein.blockOn(() -> {
            List<Integer> carriers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                carriers.add(Skein.current().spawn(Carrier::number).join());
            }
            return carriers;
        });

        assertThat(chosen.subList(0, 3)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(chosen.subList(3, 6)).isEqualTo(chosen.subList(0, 3));
    }

    @Test
    void aBusyWorkerKeepsWhatIsItsOwnThoughOthersAreIdle() throws Exception {
        Semaphore go = new Semaphore(0);
        Coroutine<?> busy = skein.spawnOn(0, () -> {
            while (!go.tryAcquire()) {
                Thread.onSpinWait();
            }
        });
        Coroutine<Integer> waiting = skein.spawnOn(0, Carrier::number);
        assertThat(skein.spawnOn(1, Carrier::number).join()).isEqualTo(1);
        assertThat(waiting.isDone()).isFalse();

        go.release();

        busy.join();
        assertThat(waiting.join()).isZero();
        assertThat(skein.metrics().workers())
                .allSatisfy(worker -> assertThat(worker.steals()).isZero());
        Await.until("nobody lives", () -> skein.metrics().liveCoroutines() == 0);
    }

    /** The worker that the calling coroutine began on. */
    private static final ThreadLocal<Integer> HOME = new ThreadLocal<>();

    private static void stay() {
        assertThat(Carrier.number()).isEqualTo(HOME.get());
    }

    /** More coroutines on each worker than its run queue has room for. */
    private List<Coroutine<?>> spawnEverywhere(Action body) {
        List<Coroutine<?>> coroutines = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int worker = i % 3;
            coroutines.add(skein.spawnOn(worker, () -> {
                assertThat(Carrier.number()).isEqualTo(worker);
                HOME.set(worker);
                body.run();
            }));
        }
        return coroutines;
    }

    private void onEveryWorker(Action body) throws Exception {
        joinAll(spawnEverywhere(body));
    }

    private static void joinAll(List<Coroutine<?>> coroutines) throws InterruptedException {
        for (Coroutine<?> coroutine : coroutines) {
            coroutine.join();
        }
    }
}
