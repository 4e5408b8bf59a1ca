package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Every watcher sees the newest value, and never one older than it has seen. */
@Crowd.Each
class WatchTest extends CrowdTest {
    private final Watch<Integer> watch = Watch.of(0);

    WatchTest(Crowd crowd) {
        super(crowd);
    }

    @Test
    void aWatcherSeesTheValueThatIsThere() throws Exception {
        assertThat(call(watch.watcher()::receive)).isZero();
        assertThat(watch.get()).isZero();
    }

    @Test
    void aWatcherWaitsForAChange() throws Exception {
        Watch.Watcher<Integer> watcher = watch.watcher();
        watcher.tryReceive();
        assertThat(watcher.tryReceive()).isNull();
        Running<Integer> waiting = startWaiting(watcher::receive);

        watch.set(1);

        assertThat(waiting.get()).isEqualTo(1);
    }

    @Test
    void aWatcherSeesOnlyTheNewest() throws Exception {
        Watch.Watcher<Integer> watcher = watch.watcher();
        watch.set(1);
        watch.set(2);

        assertThat(call(watcher::receive)).isEqualTo(2);
        assertThat(call(() -> watcher.tryReceive(Duration.ofMillis(2)))).isNull();
        assertThat(watch.get()).isEqualTo(2);
    }

    @Test
    void anEqualValueIsAChangeToo() throws Exception {
        Watch.Watcher<Integer> watcher = watch.watcher();
        watcher.tryReceive();
        watch.set(0);

        assertThat(call(watcher::receive)).isZero();
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    void noWatcherGoesBackAndEveryWatcherSeesTheLast() throws Exception {
        int last = 2000;
        List<Running<List<Integer>>> watchers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            watchers.add(start(() -> {
                List<Integer> seen = new ArrayList<>();
                watch.watcher().forEach(seen::add);
                return seen;
            }));
        }

        run(() -> {
            for (int i = 1; i <= last; i++) {
                watch.set(i);
                if (i % 100 == 0) {
                    Thread.yield(); // lets the watchers run
                }
            }
            watch.close();
        });

        for (Running<List<Integer>> watcher : watchers) {
            assertThat(watcher.get()).isSorted().doesNotHaveDuplicates().endsWith(last);
        }
    }

    @Test
    void aCloseEndsTheWait() {
        Watch.Watcher<Integer> watcher = watch.watcher();
        watcher.tryReceive();
        Running<Integer> waiting = startWaiting(watcher::receive);

        watch.close();
        watch.close();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(ChannelClosedException.class);
        assertThatExceptionOfType(ChannelClosedException.class).isThrownBy(() -> watch.set(1));
        assertThat(watch.get()).isZero();
    }

    @Test
    void anInterruptTakesNothingAway() throws Exception {
        Watch.Watcher<Integer> watcher = watch.watcher();
        watcher.tryReceive();
        Running<Integer> waiting = startWaiting(watcher::receive);
        waiting.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(InterruptedException.class);

        watch.set(1);

        assertThat(call(watcher::receive)).isEqualTo(1);
    }
}
