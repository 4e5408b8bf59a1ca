package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.RuntimeTest;
import io.skein.Scheduling;
import io.skein.Setup;
import io.skein.Skein;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The JDK's own channels, used by coroutines and by virtual threads of the JDK, and where they are polled. */
@Setup.Each
class JdkPollersTest extends RuntimeTest {
    private static final int ROUNDS = 50;

    JdkPollersTest(Setup setup) {
        super(setup);
    }

    @Test
    void whatPollsForCoroutinesRunsOnTheirWorkers() throws Exception {
        moveIn(skein);
        assertThat(guests(skein)).isPositive();
    }

    @Test
    void underPinningToo() throws Exception {
        try (Skein pinned =
                setup.builder().scheduling(Scheduling.PINNED).name("pinned").start()) {
            moveIn(pinned);
            pinned.blockOn(JdkPollersTest::bounce);
        }
    }

    @Test
    void whatPollsForThreadsOfTheJdkAloneLeavesTheWorkers() throws Exception {
        moveIn(skein);
        Await.until("the pollers have left", () -> {
            outside(JdkPollersTest::bounce);
            return guests(skein) == 0;
        });
    }

    @Test
    void itIsNotCountedAmongTheCoroutinesThatLive() throws Exception {
        moveIn(skein);
        Await.until("nobody lives", () -> skein.metrics().liveCoroutines() == 0);
        assertThat(guests(skein)).isPositive();
    }

    @Test
    void channelsWorkOnWhenTheRuntimeHasClosedThatThePollersRanOn() throws Exception {
        moveIn(skein);
        skein.close();
        outside(JdkPollersTest::bounce);
        assertThat(guests(skein)).isZero();
    }

    /** Nobody runs on the workers; plain virtual threads could not be served there. */
    @Test
    void channelsOfOthersWorkWhileEveryWorkerIsHeld() throws Exception {
        moveIn(skein);
        AtomicBoolean released = new AtomicBoolean();
        CountDownLatch held = new CountDownLatch(setup.workers());
        List<Coroutine<?>> holders = new ArrayList<>();
        for (int i = 0; i < setup.workers(); i++) {
            holders.add(skein.spawn(() -> {
                held.countDown();
                while (!released.get()) {
                    Thread.onSpinWait();
                }
            }));
        }
        held.await();
        try {
            outside(JdkPollersTest::bounce);
        } finally {
            released.set(true);
        }
        for (Coroutine<?> holder : holders) {
            holder.join();
        }
    }

    @Test
    void noPollerIsLeftInARuntimeThatClosesWhileChannelsAreBusy() throws Exception {
        for (int round = 0; round < ROUNDS / 5; round++) {
            FutureTask<Void> others = started(JdkPollersTest::bounce);
            try (Skein brief = setup.builder().name("brief").start()) {
                brief.blockOn(JdkPollersTest::bounce);
            }
            others.get();
        }
    }

    private static long guests(Skein runtime) {
        return JdkPollers.guestsOf(SchedulerAccess.of(runtime));
    }

    /** Wakes coroutines by the JDK's channels until pollers have come. */
    private static void moveIn(Skein runtime) {
        Await.until("a poller runs on a worker", () -> {
            runtime.blockOn(JdkPollersTest::bounce);
            return guests(runtime) > 0;
        });
    }

    private static FutureTask<Void> started(Callable<Void> body) {
        FutureTask<Void> task = new FutureTask<>(body);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** On virtual threads of the JDK. */
    private static void outside(Callable<Void> body) throws Exception {
        started(body).get();
    }

    /** A byte goes to and fro between the caller and a virtual thread that it starts. */
    private static Void bounce() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
                SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                SocketChannel far = listener.accept()) {
            FutureTask<Void> echo = started(() -> {
                ByteBuffer one = ByteBuffer.allocate(1);
                while (far.read(one) >= 0) {
                    send(far, one);
                }
                return null;
            });
            ByteBuffer one = ByteBuffer.allocate(1);
            for (int i = 0; i < ROUNDS; i++) {
                one.clear();
                send(near, one.put((byte) i));
                assertThat(near.read(one)).isEqualTo(1);
                assertThat(one.get(0)).isEqualTo((byte) i);
            }
            near.shutdownOutput();
            echo.get();
        }
        return null;
    }

    private static void send(SocketChannel channel, ByteBuffer one) throws IOException {
        channel.write(one.flip());
        one.clear();
    }
}
