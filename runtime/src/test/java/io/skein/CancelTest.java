package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@Setup.Each
class CancelTest extends RuntimeTest {
    CancelTest(Setup setup) {
        super(setup);
    }

    @Test
    void cancellingInterruptsTheCoroutineWhereItWaits() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Coroutine<?> coroutine = skein.spawn(() -> {
            try {
                new Semaphore(0).acquire();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        Await.untilWaiting(coroutine);

        assertThat(coroutine.cancel(true)).isTrue();

        interrupted.await();
    }

    @Test
    void joiningACancelledCoroutineThrowsACancellationException() {
        Coroutine<?> coroutine = skein.spawn(() -> new Semaphore(0).acquire());
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::get);
        assertThat(coroutine.isCancelled()).isTrue();
        assertThat(coroutine.state()).isEqualTo(Future.State.CANCELLED);
    }

    @Test
    void aJoinerThatAlreadyWaitsHearsOfTheCancellation() throws Exception {
        Coroutine<?> coroutine = skein.spawn(() -> new Semaphore(0).acquire());
        Coroutine<?> joiner = skein.spawn(() -> {
            assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        });
        Await.untilWaiting(joiner);

        coroutine.cancel(true);

        joiner.join();
    }

    @Test
    void aCoroutineCancelledBeforeItsFirstStepEndsCancelled() throws Exception {
        skein.blockOn(() -> {
            Coroutine<?> coroutine = Skein.current().spawn(() -> new Semaphore(0).acquire());

            coroutine.cancel(true);

            assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        });
    }

    @Test
    void whatHasEndedCannotBeCancelled() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> "value");
        coroutine.join();

        assertThat(coroutine.cancel(true)).isFalse();

        assertThat(coroutine.isCancelled()).isFalse();
        assertThat(coroutine.join()).isEqualTo("value");
    }

    @Test
    void aCancelledCoroutineIsNoFailure() throws Exception {
        Coroutine<?> coroutine = skein.spawn(() -> new Semaphore(0).acquire());
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        skein.close();

        assertThat(unheardFailures).isEmpty();
    }

    @Test
    void closingWaitsForTheEndOfACancelledBody() throws Exception {
        Semaphore cleanUp = new Semaphore(0);
        AtomicBoolean ended = new AtomicBoolean();
        Coroutine<?> coroutine = skein.spawn(() -> {
            try {
                new Semaphore(0).acquire();
            } finally {
                cleanUp.acquireUninterruptibly();
                ended.set(true);
            }
        });
        Await.untilWaiting(coroutine);
        coroutine.cancel(true);
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);
        Await.untilWaiting(closer);

        cleanUp.release();
        closer.join();

        assertThat(ended).isTrue();
    }

    @Test
    void aCancelledCoroutineLeavesTheOthersAlone() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<Boolean> neighbour = skein.spawn(() -> {
            release.await();
            return Thread.currentThread().isInterrupted();
        });
        Coroutine<?> victim = skein.spawn(() -> new Semaphore(0).acquire());
        Await.untilWaiting(victim);
        Await.untilWaiting(neighbour);

        victim.cancel(true);
        assertThatExceptionOfType(CancellationException.class).isThrownBy(victim::join);
        release.countDown();

        assertThat(neighbour.join()).isFalse();
    }

    @Test
    void aCancelledCoroutineSeesItsInterruptInAPark() {
        Coroutine<?> coroutine = skein.spawn(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            throw new InterruptedException();
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
    }
}
