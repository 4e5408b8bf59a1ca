package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Semaphores: no more than there are, first come, first served. */
@Mode.Each
class SemaphoreTest extends ModeTest {
    SemaphoreTest(Mode mode) {
        super(mode);
    }

    private Running<String> acquiring(ThreadKind kind, Semaphore semaphore, int count) {
        Running<String> running = kind.start(skein, () -> {
            try {
                semaphore.acquire(count);
                return "acquired";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        });
        running.awaitWaiting();
        return running;
    }

    @Test
    void permitsAreTakenAndGivenBack() throws Exception {
        Semaphore semaphore = new Semaphore(3);

        semaphore.acquire();
        assertThat(semaphore.tryAcquire(3)).isFalse();
        assertThat(semaphore.tryAcquire(2)).isTrue();
        assertThat(semaphore.tryAcquire()).isFalse();
        assertThat(semaphore.availablePermits()).isZero();
        semaphore.release(2);
        semaphore.release();
        assertThat(semaphore).hasToString("Semaphore[3 available]");
    }

    @ParameterizedTest
    @EnumSource
    void whoWantsManyWaitsUntilThereAreAsMany(ThreadKind kind) throws Exception {
        Semaphore semaphore = new Semaphore(1);
        Running<String> waiting = acquiring(kind, semaphore, 3);

        semaphore.release();
        waiting.awaitWaiting();
        assertThat(waiting.outcome().isDone()).isFalse();
        assertThat(semaphore.availablePermits()).isEqualTo(2);
        semaphore.release();

        assertThat(waiting.get()).isEqualTo("acquired");
        assertThat(semaphore.availablePermits()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aLargeRequestIsNotStarvedBySmallOnes(ThreadKind kind) throws Exception {
        Semaphore semaphore = new Semaphore(1);
        Running<String> large = acquiring(kind, semaphore, 2);

        assertThat(semaphore.tryAcquire()).as("past who waits").isFalse();
        assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isFalse();
        Running<String> small = acquiring(kind, semaphore, 1);
        semaphore.release();

        assertThat(large.get()).isEqualTo("acquired");
        assertThat(small.outcome().isDone()).isFalse();
        semaphore.release();
        assertThat(small.get()).isEqualTo("acquired");
    }

    @ParameterizedTest
    @EnumSource
    void aLargeRequestThatIsGivenUpLetsThoseBehindItPass(ThreadKind kind) throws Exception {
        Semaphore semaphore = new Semaphore(2);
        Running<String> large = acquiring(kind, semaphore, 3);
        List<Running<String>> small = List.of(acquiring(kind, semaphore, 1), acquiring(kind, semaphore, 1));
        Running<String> last = acquiring(kind, semaphore, 1);

        large.thread().interrupt();

        assertThat(large.get()).isEqualTo("interrupted");
        for (Running<String> each : small) {
            assertThat(each.get()).isEqualTo("acquired");
        }
        assertThat(last.outcome().isDone()).isFalse();
        semaphore.release();
        assertThat(last.get()).isEqualTo("acquired");
        assertThat(semaphore.isDeserted()).isTrue();
    }

    @Test
    void oneReleaseServesAllWhoThenMayGo() throws Exception {
        Semaphore semaphore = new Semaphore(0);
        List<Running<String>> waiting = List.of(
                acquiring(ThreadKind.COROUTINE, semaphore, 1),
                acquiring(ThreadKind.PLATFORM, semaphore, 2),
                acquiring(ThreadKind.VIRTUAL, semaphore, 1));

        semaphore.release(5);

        for (Running<String> each : waiting) {
            assertThat(each.get()).isEqualTo("acquired");
        }
        assertThat(semaphore.availablePermits()).isEqualTo(1);
    }

    @Test
    void whatIsAcquiredByOneMayBeReleasedByAnother() throws Exception {
        Semaphore semaphore = new Semaphore(1);
        semaphore.acquire();
        ThreadKind.VIRTUAL.call(skein, () -> {
            semaphore.release();
            return null;
        });
        assertThat(semaphore.tryAcquire()).isTrue();
    }

    @Test
    void aPermitIsGivenBackAfterAFailure() throws Exception {
        Semaphore semaphore = new Semaphore(1);
        assertThat(semaphore.withPermit(semaphore::availablePermits)).isZero();
        assertThatThrownBy(() -> semaphore.withPermit(() -> {
                    throw new IOException("broken");
                }))
                .hasMessage("broken");
        assertThat(semaphore.availablePermits()).isEqualTo(1);
    }

    @Test
    void morePermitsThanCanBeCountedAreRefusedAndNothingChanges() {
        Semaphore semaphore = new Semaphore(Integer.MAX_VALUE);
        assertThatThrownBy(semaphore::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> semaphore.release(Integer.MAX_VALUE)).isInstanceOf(IllegalStateException.class);
        assertThat(semaphore.availablePermits()).isEqualTo(Integer.MAX_VALUE);
        assertThat(semaphore.tryAcquire(Integer.MAX_VALUE)).isTrue();
    }

    @Test
    void morePermitsThanCanBeCountedAreRefusedInACrowdToo() throws Exception {
        Semaphore semaphore = new Semaphore(Integer.MAX_VALUE - 1);
        Running<String> waiting = acquiring(ThreadKind.COROUTINE, semaphore, Integer.MAX_VALUE);

        assertThatThrownBy(() -> semaphore.release(2)).isInstanceOf(IllegalStateException.class);
        assertThat(waiting.outcome().isDone()).isFalse();
        semaphore.release();

        assertThat(waiting.get()).isEqualTo("acquired");
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        Semaphore semaphore = new Semaphore(0);
        for (Waitable.Step step : List.<Waitable.Step>of(
                () -> new Semaphore(-1),
                () -> semaphore.acquire(0),
                () -> semaphore.acquire(-1),
                () -> semaphore.tryAcquire(0),
                () -> semaphore.tryAcquire(0, Duration.ZERO),
                () -> semaphore.release(0),
                () -> semaphore.release(Integer.MIN_VALUE))) {
            assertThatThrownBy(step::take).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
