package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Code that knows nothing of Skein, used inside coroutines. */
@Setup.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class LibrariesTest extends RuntimeTest {
    LibrariesTest(Setup setup) {
        super(setup);
    }

    @Test
    void javaNetSocketsBlockOnlyTheirCoroutine() throws Exception {
        skein.blockOn(() -> {
            try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
                Coroutine<?> echo = Skein.current().spawn(() -> {
                    try (Socket accepted = server.accept()) {
                        accepted.getInputStream().transferTo(accepted.getOutputStream());
                    }
                });
                try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    OutputStream out = client.getOutputStream();
                    InputStream in = client.getInputStream();
                    for (int i = 0; i < 200; i++) {
                        out.write(new byte[] {1, 2, (byte) i});
                        assertThat(in.readNBytes(3)).containsExactly(1, 2, (byte) i);
                    }
                    client.shutdownOutput();
                    assertThat(in.read()).isEqualTo(-1);
                }
                echo.join();
            }
        });
    }

    @Test
    void aVirtualThreadStartedInsideACoroutineRuns() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();

        skein.blockOn(() -> {
            Thread thread = Thread.startVirtualThread(() -> {
                Thread.yield();
                ran.set(true);
            });
            thread.join();
        });

        assertThat(ran).isTrue();
    }

    @Test
    void aVirtualThreadStartedInsideACoroutineMayOutliveIt() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Thread child = skein.blockOn(() -> Thread.startVirtualThread(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        Await.untilWaiting(child);

        release.countDown();

        child.join();
    }

    @Test
    void aVirtualThreadMayStartAnotherAndThatOneAThird() throws Exception {
        AtomicBoolean thirdRan = new AtomicBoolean();

        skein.blockOn(() -> {
            Thread first = Thread.startVirtualThread(
                    () -> Thread.startVirtualThread(() -> Thread.startVirtualThread(() -> thirdRan.set(true))));
            first.join();
        });

        Await.until("the third thread ran", thirdRan::get);
    }

    @Test
    void anExecutorOfVirtualThreadsWorksInsideACoroutine() throws Exception {
        int sum = skein.blockOn(() -> {
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Integer>> futures = new ArrayList<>();
                for (int i = 1; i <= 100; i++) {
                    int number = i;
                    futures.add(executor.submit(() -> {
                        Thread.sleep(1);
                        return number;
                    }));
                }
                int total = 0;
                for (Future<Integer> future : futures) {
                    total += future.get();
                }
                return total;
            }
        });

        assertThat(sum).isEqualTo(5050);
    }

    @Test
    void aVirtualThreadThatFailsInsideACoroutineHurtsNobody() throws Exception {
        skein.blockOn(() -> {
            Thread failing = Thread.ofVirtual()
                    .uncaughtExceptionHandler((_, _) -> {})
                    .start(() -> {
                        throw new IllegalStateException("a library's bug");
                    });
            failing.join();
        });

        assertThat(skein.blockOn(() -> "alive")).isEqualTo("alive");
    }

    @Test
    void aCoroutineWaitsForAFutureOfThePlatformsPools() throws Exception {
        String value = skein.blockOn(() ->
                CompletableFuture.supplyAsync(() -> "from the common pool").get());

        assertThat(value).isEqualTo("from the common pool");
    }

    @Test
    void threadLocalsBelongToTheCoroutineAndNotToTheWorker() throws Exception {
        ThreadLocal<String> local = ThreadLocal.withInitial(() -> "empty");
        skein.blockOn(() -> {
            local.set("mine");
        });

        assertThat(skein.blockOn(local::get)).isEqualTo("empty");
    }
}
