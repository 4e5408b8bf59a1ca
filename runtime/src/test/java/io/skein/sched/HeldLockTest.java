package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** A coroutine that waits while it holds a monitor or a lock leaves the only worker to those who will end its wait. */
@Mode.OneWorker
class HeldLockTest extends ModeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    private final Object monitor = new Object();

    HeldLockTest(Mode mode) {
        super(mode);
    }

    @Test
    void aHolderOfAMonitorThatParksIsUnparkedByAnother() throws Exception {
        Coroutine<?> holder = skein.spawn(() -> {
            synchronized (monitor) {
                LockSupport.park();
            }
        });
        Await.untilWaiting(holder);
        List<Coroutine<?>> contenders = contend(() -> {
            synchronized (monitor) {
                assertThat(Thread.holdsLock(monitor)).isTrue();
            }
        });

        skein.blockOn(() -> LockSupport.unpark(holder.thread()));

        holder.join();
        joinAll(contenders);
    }

    @Test
    void aHolderOfALockThatParksIsUnparkedByAnother() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Coroutine<?> holder = skein.spawn(() -> {
            lock.lock();
            try {
                LockSupport.park(lock);
            } finally {
                lock.unlock();
            }
        });
        Await.untilWaiting(holder);
        List<Coroutine<?>> contenders = contend(() -> {
            lock.lock();
            try {
                assertThat(lock.isHeldByCurrentThread()).isTrue();
            } finally {
                lock.unlock();
            }
        });

        skein.blockOn(() -> LockSupport.unpark(holder.thread()));

        holder.join();
        joinAll(contenders);
    }

    @Test
    void aHolderOfAMonitorThatReadsGetsWhatAnotherWrites() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT);
                    TcpStream client = TcpStream.connect(listener.localAddress());
                    TcpStream server = listener.accept()) {
                Coroutine<Integer> reader = skein.spawn(() -> {
                    synchronized (monitor) {
                        return server.read(ByteBuffer.allocate(5));
                    }
                });
                Await.untilWaiting(reader);
                List<Coroutine<?>> contenders = contend(() -> {
                    synchronized (monitor) {
                        assertThat(reader.thread()).isNotNull();
                    }
                });

                client.write(ByteBuffer.allocate(5));

                assertThat(reader.join()).isEqualTo(5);
                joinAll(contenders);
            }
        });
    }

    @Test
    void aHolderOfABinOfAConcurrentMapThatSpawnsAndJoinsDoesNotHoldTheWorker() throws Exception {
        Map<String, String> map = new ConcurrentHashMap<>();
        String computed = skein.blockOn(() -> map.computeIfAbsent("key", _ -> {
            try {
                return Skein.current().spawn(() -> "computed by a child").join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));

        assertThat(computed).isEqualTo("computed by a child");
    }

    @Test
    void aHolderOfAMonitorMaySpawnAndJoinOthersThatWantALock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        skein.blockOn(() -> {
            for (int round = 0; round < 50; round++) {
                synchronized (monitor) {
                    joinAll(contend(() -> {
                        lock.lock();
                        try {
                            LockSupport.parkNanos(1000);
                        } finally {
                            lock.unlock();
                        }
                    }));
                }
            }
        });
    }

    @Test
    void aHolderThatCallsBlockingCodeIsNotInItsWay() throws Exception {
        Coroutine<String> holder = skein.spawn(() -> {
            synchronized (monitor) {
                return Skein.blocking(
                        () -> skein.spawn(() -> "from a coroutine").join());
            }
        });

        assertThat(holder.join()).isEqualTo("from a coroutine");
    }

    private List<Coroutine<?>> contend(Runnable body) {
        List<Coroutine<?>> contenders = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            contenders.add(skein.spawn(body::run));
        }
        return contenders;
    }

    private static void joinAll(List<Coroutine<?>> coroutines) throws InterruptedException {
        for (Coroutine<?> coroutine : coroutines) {
            coroutine.join();
        }
    }
}
