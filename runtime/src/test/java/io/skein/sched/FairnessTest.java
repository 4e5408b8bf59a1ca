package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One worker, and a pair of coroutines that wake each other for ever: the others run all the same. */
@Mode.OneWorker
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class FairnessTest extends ModeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    /** After so many runs the worker looks at what came from outside, and three times more for the last-in slot. */
    private static final int LOOK_AROUND_RUNS = 61 + 3 + 1;

    private final Thread[] pair = new Thread[2];
    private final AtomicBoolean over = new AtomicBoolean();
    private final Semaphore held = new Semaphore(0);
    private final Semaphore release = new Semaphore(0);
    private volatile boolean holdRequested;

    /** How often one of the pair ran; only they write it, in turns. */
    private volatile int turns;

    FairnessTest(Mode mode) {
        super(mode);
    }

    @BeforeEach
    void startPair() {
        pair[0] = skein.threadFactory().newThread(() -> play(0));
        pair[1] = skein.threadFactory().newThread(() -> play(1));
        pair[0].start();
        pair[1].start();
        Await.until("the pair plays", () -> turns > 1000);
    }

    @AfterEach
    void stopPair() {
        over.set(true);
        LockSupport.unpark(pair[0]);
        LockSupport.unpark(pair[1]);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // They take turns.
    private void play(int me) {
        while (!over.get()) {
            while (turns % 2 != me && !over.get()) {
                LockSupport.park();
            }
            if (holdRequested) {
                hold();
            }
            turns++;
            LockSupport.unpark(pair[1 - me]);
        }
    }

    /** Keeps the worker, so that nothing runs until the test has done what it wants. */
    private void hold() {
        holdRequested = false;
        held.release();
        while (!release.tryAcquire()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aThirdRunsAfterAtMostThreeRunsOfThePair() throws Exception {
        int most = skein.blockOn(() -> {
            int longest = 0;
            for (int i = 0; i < 2000; i++) {
                int before = turns;
                Thread.yield();
                longest = Math.max(longest, turns - before);
            }
            return longest;
        });

        assertThat(most).isBetween(1, 3);
    }

    @Test
    void whatComesFromOutsideRunsAfterAtMostSixtyOneOthers() throws Exception {
        for (int round = 0; round < 50; round++) {
            holdRequested = true;
            held.acquire();
            int before = turns;
            Coroutine<Integer> third = skein.spawn(() -> turns);
            release.release();

            assertThat(third.join() - before).isLessThanOrEqualTo(LOOK_AROUND_RUNS);
        }
    }

    @Test
    void whoIsWokenFromOutsideRunsAfterAtMostSixtyOneOthers() throws Exception {
        for (int round = 0; round < 50; round++) {
            Coroutine<Integer> third = skein.spawn(() -> {
                LockSupport.park();
                return turns;
            });
            Await.untilWaiting(third);
            holdRequested = true;
            held.acquire();
            int before = turns;
            LockSupport.unpark(third.thread());
            release.release();

            assertThat(third.join() - before).isLessThanOrEqualTo(LOOK_AROUND_RUNS);
        }
    }

    @Test
    void inputAndOutputStillComplete() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT);
                    TcpStream client = TcpStream.connect(listener.localAddress());
                    TcpStream server = listener.accept()) {
                ByteBuffer buffer = ByteBuffer.allocate(4);
                for (int i = 0; i < 100; i++) {
                    client.write(buffer.clear());
                    assertThat(server.read(buffer.clear())).isPositive();
                }
            }
        });
    }

    @Test
    void sleepsStillEnd() throws Exception {
        skein.blockOn(() -> {
            for (int i = 0; i < 10; i++) {
                Thread.sleep(1);
                new Semaphore(0).tryAcquire(1, TimeUnit.MILLISECONDS);
            }
        });
    }

    @Test
    void aPairThatYieldsForEverHoldsNobodyUp() throws Exception {
        Coroutine<?> yielder = skein.spawn(() -> {
            while (!over.get()) {
                Thread.yield();
            }
        });

        assertThat(skein.blockOn(() -> "ran")).isEqualTo("ran");
        assertThat(skein.spawn(() -> skein.spawn(() -> "child").join()).join()).isEqualTo("child");

        assertThat(yielder.isDone()).isFalse();
    }
}
