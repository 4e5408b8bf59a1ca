package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Setup.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class CloseRuntimeTest extends RuntimeTest {
    CloseRuntimeTest(Setup setup) {
        super(setup);
    }

    @Test
    void aRuntimeThatNeverDidAnythingCloses() {
        skein.close();
    }

    @Test
    void closingAgainDoesNothing() {
        skein.close();

        skein.close();
    }

    @Test
    void severalThreadsMayCloseAtOnce() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<?> last = skein.spawn(() -> release.await());
        List<Thread> closers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closers.add(Thread.ofPlatform().name("closer-" + i).start(skein::close));
        }
        closers.forEach(Await::untilWaiting);

        release.countDown();
        for (Thread closer : closers) {
            closer.join();
        }

        assertThat(last.isDone()).isTrue();
    }

    @Test
    void aClosedRuntimeRefusesNewCoroutines() {
        skein.close();

        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> skein.spawn(() -> "too late"))
                .withMessageContaining("closed");
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> skein.spawn("late", () -> "too late"));
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> skein.blockOn(() -> "too late"));
    }

    @Test
    void closingWaitsForLiveCoroutines() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            var _ = skein.spawn(() -> {
                release.await();
                Thread.yield();
                ended.incrementAndGet();
            });
        }
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);
        Await.untilWaiting(closer);
        assertThat(ended).hasValue(0);

        release.countDown();
        closer.join();

        assertThat(ended).hasValue(50);
    }

    @Test
    void aClosingRuntimeRefusesNewWorkFromOutside() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<?> last = skein.spawn(() -> release.await());
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);
        Await.untilWaiting(closer);

        try {
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> skein.spawn(() -> "from outside"));
        } finally {
            release.countDown();
            last.join();
            closer.join();
        }
    }

    @Test
    void coroutinesMaySpawnWhileTheRuntimeCloses() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<String> parent = skein.spawn(() -> {
            release.await();
            Coroutine<String> child = skein.spawn(() -> "born during close");
            return child.join();
        });
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);
        Await.untilWaiting(closer);

        release.countDown();
        closer.join();

        assertThat(parent.join()).isEqualTo("born during close");
    }

    @Test
    void closingWaitsForDescendantsSpawnedWhileItCloses() throws Exception {
        AtomicInteger generations = new AtomicInteger();
        var _ = skein.spawn(() -> spawnGenerations(generations, 100));

        skein.close();

        assertThat(generations).hasValue(100);
    }

    @Test
    void valuesOutliveTheirRuntime() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> "kept");

        skein.close();

        assertThat(coroutine.join()).isEqualTo("kept");
    }

    @Test
    void startingAndClosingManyTimesLeavesNothingBehind() throws Exception {
        for (int round = 0; round < 30; round++) {
            try (Skein other = setup.builder().start()) {
                assertThat(other.blockOn(() -> "alive")).isEqualTo("alive");
            }
        }
    }

    @Test
    void whoSpawnsWhileAnotherClosesIsServedOrRefusedButNeverForgotten() throws Exception {
        for (int round = 0; round < 50; round++) {
            Skein other = setup.builder().start();
            List<Coroutine<String>> accepted = new ArrayList<>();
            Thread closer = Thread.ofPlatform().name("closer").unstarted(other::close);
            closer.start();
            try {
                while (true) {
                    accepted.add(other.spawn(() -> "served"));
                }
            } catch (RejectedExecutionException refused) {
                closer.join();
            }
            for (Coroutine<String> coroutine : accepted) {
                assertThat(coroutine.isDone()).isTrue();
                assertThat(coroutine.join()).isEqualTo("served");
            }
        }
    }

    private void spawnGenerations(AtomicInteger generations, int left) {
        if (left > 0) {
            generations.incrementAndGet();
            Thread.yield();
            var _ = skein.spawn(() -> spawnGenerations(generations, left - 1));
        }
    }
}
