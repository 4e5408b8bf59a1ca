package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.sync.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A runtime may be closed right after coroutines were woken, and a waker may come too late: nobody is lost, and nothing happens. */
@Mode.Each
class UnparkingCloseTest extends ModeTest {
    private static final int COROUTINES = 500;

    private final Event event = new Event();
    private final AtomicInteger ended = new AtomicInteger();

    UnparkingCloseTest(Mode mode) {
        super(mode);
    }

    @Test
    void aRuntimeThatIsClosedRightAfterHasLostNobody() throws Exception {
        List<Coroutine<?>> coroutines = spawnWaiters();

        event.set();
        assertThat(skein.close(Duration.ofSeconds(20))).isTrue();

        assertThat(ended).hasValue(COROUTINES);
        for (Coroutine<?> coroutine : coroutines) {
            assertEnded(coroutine);
        }
    }

    @Test
    void aRuntimeThatIsShutDownRightAfterHasLostNobody() throws Exception {
        List<Coroutine<?>> coroutines = spawnWaiters();

        event.set();
        assertThat(skein.shutdownNow(Duration.ofSeconds(20))).isTrue();

        assertThat(ended.get()).isLessThanOrEqualTo(COROUTINES);
        for (Coroutine<?> coroutine : coroutines) {
            assertEnded(coroutine);
        }
    }

    /** A waker that saw it parked may be slow: it may be queued when all is over. */
    @Test
    void whoIsQueuedAfterTheRuntimeHasClosedIsNoTrouble() throws Exception {
        assumeTrue(Loom.available(), "there is no queue of ours");
        Coroutine<?> coroutine = skein.spawn(() -> {});
        coroutine.join();
        skein.close();

        assertThat(((Unparking.ParkedQueue) coroutine).queue(coroutine.thread()))
                .isTrue();

        assertEnded(coroutine);
    }

    /** Spawns coroutines that wait for the event; one in ten has stale entries in the queues too. */
    private List<Coroutine<?>> spawnWaiters() {
        List<Coroutine<?>> coroutines = new ArrayList<>();
        for (int i = 0; i < COROUTINES; i++) {
            coroutines.add(skein.spawn(() -> {
                event.await();
                ended.incrementAndGet();
            }));
        }
        coroutines.forEach(Await::untilWaiting);
        for (int i = 0; i < COROUTINES; i += 10) {
            Unparking.unpark(coroutines.get(i).thread());
            LockSupport.unpark(coroutines.get(i).thread());
        }
        return coroutines;
    }

    private static void assertEnded(Coroutine<?> coroutine) throws InterruptedException {
        assertThat(coroutine.thread().join(Duration.ofSeconds(20))).isTrue();
        assertThat(coroutine.thread().isAlive()).isFalse();
        assertThat(coroutine.isDone()).isTrue();
    }
}
