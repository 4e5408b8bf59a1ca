package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Counts that are waited for: latches and wait groups. */
@Mode.Each
class LatchTest extends ModeTest {
    LatchTest(Mode mode) {
        super(mode);
    }

    @Test
    void aLatchOpensAtZeroAndStaysOpen() throws Exception {
        Latch latch = new Latch(3);
        Running<Boolean> waiting = ThreadKind.COROUTINE.start(skein, () -> {
            latch.await();
            return true;
        });
        waiting.awaitWaiting();

        latch.countDown();
        latch.countDown();
        assertThat(latch.count()).isEqualTo(1);
        waiting.awaitWaiting();
        assertThat(waiting.outcome().isDone()).isFalse();
        latch.countDown();

        assertThat(waiting.get()).isTrue();
        latch.countDown();
        assertThat(latch).hasToString("Latch[open]");
        latch.await();
        assertThat(latch.await(Duration.ZERO)).isTrue();
    }

    @Test
    void aLatchOfNothingIsOpen() throws Exception {
        new Latch(0).await();
        assertThatThrownBy(() -> new Latch(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyCountDownAtOnce() throws Exception {
        Latch latch = new Latch(300);
        AtomicInteger counted = new AtomicInteger();
        for (int i = 0; i < 300; i++) {
            var _ = skein.spawn(() -> {
                counted.incrementAndGet();
                latch.countDown();
            });
        }
        latch.await();
        assertThat(counted).hasValue(300);
    }

    @Test
    void aGroupToWhichNothingWasAddedIsNotWaitedFor() throws Exception {
        WaitGroup group = new WaitGroup();
        group.await();
        assertThat(group.await(Duration.ZERO)).isTrue();
        group.add();
        assertThat(group.await(Duration.ZERO)).isFalse();
    }

    @Test
    void aGroupWaitsForWorkThatWorkAdds() throws Exception {
        WaitGroup group = new WaitGroup();
        AtomicInteger runs = new AtomicInteger();
        group.add();
        fanOut(group, runs, 6);

        group.await();

        assertThat(runs).hasValue(127);
        assertThat(group).hasToString("WaitGroup[0 under way]");
    }

    private void fanOut(WaitGroup group, AtomicInteger runs, int depth) {
        var _ = skein.spawn(() -> {
            runs.incrementAndGet();
            if (depth > 0) {
                group.add(2);
                fanOut(group, runs, depth - 1);
                Coroutine.yieldNow();
                fanOut(group, runs, depth - 1);
            }
            group.done();
        });
    }

    @Test
    void addingToAGroupThatHasReachedZeroIsAnErrorThatSaysSo() {
        WaitGroup group = new WaitGroup();
        group.add(2);
        group.done();
        group.add();
        group.done();
        group.done();

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(group::add)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has reached zero");
        }
        assertThat(group.count()).isZero();
    }

    @Test
    void beingDoneWithNothingIsAnErrorThatSaysSo() {
        WaitGroup group = new WaitGroup();
        assertThatThrownBy(group::done)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more often");
        group.add();
        group.done();
        assertThatThrownBy(group::done).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aGroupDoesNotCountPastItsLimit() throws Exception {
        WaitGroup group = new WaitGroup();
        group.add(Integer.MAX_VALUE);
        assertThatThrownBy(group::add).isInstanceOf(IllegalStateException.class);
        Running<Boolean> waiting = ThreadKind.COROUTINE.start(skein, () -> group.await(Duration.ofMinutes(5)));
        waiting.awaitWaiting();
        assertThatThrownBy(() -> group.add(Integer.MAX_VALUE)).isInstanceOf(IllegalStateException.class);
        assertThat(group.count()).isEqualTo(Integer.MAX_VALUE);
        waiting.outcome().cancel(true);
        for (int count : List.of(0, -1, Integer.MIN_VALUE)) {
            assertThatThrownBy(() -> group.add(count)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
