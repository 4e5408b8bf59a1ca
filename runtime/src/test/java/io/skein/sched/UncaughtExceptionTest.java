package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Action;
import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An uncaught exception goes to the handler that somebody has set, as with every thread, and else to the failure
 * handler.
 */
@Mode.Each
class UncaughtExceptionTest extends ModeTest {
    /** What a handler was told, and which thread called it. */
    private record Told(Thread thread, Throwable failure, Thread caller) {}

    private final Queue<Told> told = new ConcurrentLinkedQueue<>();
    private final IllegalStateException failure = new IllegalStateException("thread snapped");
    private UncaughtExceptionHandler before;

    UncaughtExceptionTest(Mode mode) {
        super(mode);
    }

    @BeforeEach
    void rememberDefaultHandler() {
        before = Thread.getDefaultUncaughtExceptionHandler();
    }

    @AfterEach
    void restoreDefaultHandler() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    private void tell(Thread thread, Throwable thrown) {
        told.add(new Told(thread, thrown, Thread.currentThread()));
    }

    private void fail() {
        throw failure;
    }

    @Test
    void theHandlerOfAFactorysThreadIsToldByThatThread() throws Exception {
        Thread thread = skein.threadFactory().newThread(this::fail);
        thread.setUncaughtExceptionHandler(this::tell);
        thread.start();
        thread.join();

        assertThat(told).containsExactly(new Told(thread, failure, thread));
    }

    @Test
    void theDefaultHandlerHearsOfATaskThatWasExecuted() {
        Thread.setDefaultUncaughtExceptionHandler(this::tell);

        skein.executor().execute(this::fail);
        skein.close();

        assertThat(told).hasSize(1);
        assertThat(told.element().failure()).isSameAs(failure);
        assertThat(told.element().caller()).isSameAs(told.element().thread());
    }

    @Test
    void aThreadsOwnHandlerGoesBeforeTheDefaultOne() throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((_, _) -> {
            throw new AssertionError("not asked");
        });
        Thread thread = skein.threadFactory().newThread(this::fail);
        thread.setUncaughtExceptionHandler(this::tell);
        thread.start();
        thread.join();

        assertThat(told).hasSize(1);
    }

    @Test
    void withoutAHandlerTheFailureHandlerHears() {
        expectUnheardFailures();
        Thread.setDefaultUncaughtExceptionHandler(null);

        skein.executor().execute(this::fail);
        skein.close();

        assertThat(unheardFailures).containsExactly(failure);
    }

    @Test
    void aHandlerThatASpawnedCoroutineHasSetOnItsThreadIsTold() {
        var _ = skein.spawn(() -> {
            Thread.currentThread().setUncaughtExceptionHandler(this::tell);
            throw failure;
        });
        skein.close();

        assertThat(told).hasSize(1);
        assertThat(told.element().failure()).isSameAs(failure);
    }

    @Test
    void theDefaultHandlerDoesNotHearOfWhatWasSpawned() {
        expectUnheardFailures();
        Thread.setDefaultUncaughtExceptionHandler(this::tell);

        var _ = skein.spawn((Action) this::fail);
        skein.close();

        assertThat(told).isEmpty();
        assertThat(unheardFailures).containsExactly(failure);
    }

    @Test
    void aHandlerDoesNotHearOfWhatIsJoined() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<?> joined = skein.spawn(() -> {
            Thread.currentThread().setUncaughtExceptionHandler(this::tell);
            release.await();
            throw failure;
        });
        Coroutine<?> joiner = skein.spawn(() -> {
            assertThatExceptionOfType(CompletionException.class).isThrownBy(joined::join);
        });
        Await.untilWaiting(joiner);
        release.countDown();
        joiner.join();
        skein.close();

        assertThat(told).isEmpty();
    }

    @Test
    void aHandlerMayWait() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch inHandler = new CountDownLatch(1);
        Thread thread = skein.threadFactory().newThread(this::fail);
        thread.setUncaughtExceptionHandler((_, _) -> {
            inHandler.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        inHandler.await();

        assertThat(skein.metrics().liveCoroutines()).isEqualTo(1);
        skein.spawn(release::countDown).join();
        thread.join();
    }

    @Test
    void theFailureHandlerHearsOfAHandlerThatFailsAndOfWhatThatWasTold() throws Exception {
        expectUnheardFailures();
        IllegalArgumentException broken = new IllegalArgumentException("broken handler");
        Thread thread = skein.threadFactory().newThread(this::fail);
        thread.setUncaughtExceptionHandler((_, _) -> {
            throw broken;
        });
        thread.start();
        thread.join();
        skein.close();

        assertThat(unheardFailures).containsExactly(broken);
        assertThat(broken.getSuppressed()).containsExactly(failure);
    }
}
