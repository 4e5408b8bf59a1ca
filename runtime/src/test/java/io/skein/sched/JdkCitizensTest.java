package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Action;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** What the JDK has for waiting, used by many coroutines at once, behaves as on plain virtual threads. */
@Mode.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class JdkCitizensTest extends ModeTest {
    private static final int COROUTINES = 20;
    private static final int TURNS = 100;
    private static final ScopedValue<String> SCOPED = ScopedValue.newInstance();

    private final Object monitor = new Object();
    private int value;

    JdkCitizensTest(Mode mode) {
        super(mode);
    }

    @Test
    void waitAndNotifyHandABallAround() throws Exception {
        everyone(me -> {
            for (int turn = 0; turn < TURNS; turn++) {
                synchronized (monitor) {
                    while (value % COROUTINES != me) {
                        monitor.wait();
                    }
                    value++;
                    monitor.notifyAll();
                }
            }
        });

        assertThat(value).isEqualTo(COROUTINES * TURNS);
    }

    @Test
    void timedWaitsEnd() throws Exception {
        everyone(_ -> {
            long start = System.nanoTime();
            synchronized (monitor) {
                while (System.nanoTime() - start < 1_000_000) {
                    monitor.wait(1);
                }
            }
        });
    }

    @Test
    void aMonitorThatIsHeldWhileItsOwnerWaitsKeepsTheOthersOut() throws Exception {
        everyone(_ -> {
            for (int turn = 0; turn < 10; turn++) {
                synchronized (monitor) {
                    int seen = value;
                    Thread.yield();
                    new Semaphore(0).tryAcquire(10, TimeUnit.MICROSECONDS);
                    value = seen + 1;
                }
            }
        });

        assertThat(value).isEqualTo(COROUTINES * 10);
    }

    @Test
    void aLockAndItsConditionsHandABallAround() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition[] turnOf = new Condition[COROUTINES];
        for (int i = 0; i < COROUTINES; i++) {
            turnOf[i] = lock.newCondition();
        }
        everyone(me -> {
            for (int turn = 0; turn < TURNS; turn++) {
                lock.lock();
                try {
                    while (value % COROUTINES != me) {
                        turnOf[me].await();
                    }
                    value++;
                    turnOf[value % COROUTINES].signal();
                } finally {
                    lock.unlock();
                }
            }
        });

        assertThat(value).isEqualTo(COROUTINES * TURNS);
    }

    @Test
    void aSemaphoreLetsNoMoreInThanItHasPermits() throws Exception {
        Semaphore permits = new Semaphore(3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        everyone(_ -> {
            for (int turn = 0; turn < TURNS; turn++) {
                permits.acquire();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.yield();
                inside.decrementAndGet();
                permits.release();
            }
        });

        assertThat(most.get()).isBetween(1, 3);
        assertThat(permits.availablePermits()).isEqualTo(3);
    }

    @Test
    void aBlockingQueueOfOneCarriesEverything() throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        AtomicInteger sum = new AtomicInteger();
        everyone(me -> {
            for (int turn = 1; turn <= TURNS; turn++) {
                if (me % 2 == 0) {
                    queue.put(turn);
                } else {
                    sum.addAndGet(queue.take());
                }
            }
        });

        assertThat(sum).hasValue(COROUTINES / 2 * TURNS * (TURNS + 1) / 2);
    }

    @Test
    void completableFuturesCompleteBetweenCoroutinesAndOutside() throws Exception {
        List<CompletableFuture<Integer>> chain = new ArrayList<>();
        for (int i = 0; i <= COROUTINES; i++) {
            chain.add(new CompletableFuture<>());
        }
        Thread starter = Thread.ofPlatform().start(() -> chain.getFirst().complete(0));
        everyone(me -> chain.get(me + 1).complete(chain.get(me).get() + 1));

        assertThat(chain.getLast().get()).isEqualTo(COROUTINES);
        starter.join();
    }

    @Test
    void sleepsLastAtLeastAsLongAsAsked() throws Exception {
        everyone(me -> {
            long start = System.nanoTime();
            Thread.sleep(me);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(me));
        });
    }

    @Test
    void socketsOfTheJdkTalkToEachOther() throws Exception {
        everyone(_ -> {
            try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                Coroutine<?> echo = skein.spawn(() -> {
                    try (Socket accepted = server.accept()) {
                        accepted.getInputStream().transferTo(accepted.getOutputStream());
                    }
                });
                try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    for (int turn = 0; turn < 10; turn++) {
                        client.getOutputStream().write(new byte[] {1, 2, 3});
                        assertThat(client.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
                    }
                }
                echo.join();
            }
        });
    }

    @Test
    void aSocketThatTimesOutSaysSo() throws Exception {
        skein.blockOn(() -> {
            try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                server.setSoTimeout(5);
                assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(server::accept);
            }
        });
    }

    @Test
    void threadLocalsFollowTheirCoroutine() throws Exception {
        ThreadLocal<Integer> local = new ThreadLocal<>();
        everyone(me -> {
            assertThat(local.get()).isNull();
            local.set(me);
            for (int turn = 0; turn < TURNS; turn++) {
                Thread.yield();
                assertThat(local.get()).isEqualTo(me);
            }
        });
    }

    @Test
    void scopedValuesFollowTheirCoroutineAndEndWithTheirScope() throws Exception {
        everyone(me -> {
            ScopedValue.where(SCOPED, "of " + me).call(() -> {
                for (int turn = 0; turn < TURNS; turn++) {
                    Thread.yield();
                    assertThat(SCOPED.get()).isEqualTo("of " + me);
                }
                assertThat(skein.spawn(SCOPED::isBound).join()).isFalse();
                return me;
            });
            assertThat(SCOPED.isBound()).isFalse();
        });
    }

    /** What one of several coroutines does. */
    private interface Part {
        void play(int me) throws Exception;
    }

    private void everyone(Part part) throws InterruptedException {
        List<Coroutine<?>> coroutines = new ArrayList<>();
        for (int i = 0; i < COROUTINES; i++) {
            int me = i;
            Action body = () -> part.play(me);
            coroutines.add(skein.spawn(body));
        }
        for (Coroutine<?> coroutine : coroutines) {
            coroutine.join();
        }
    }
}
