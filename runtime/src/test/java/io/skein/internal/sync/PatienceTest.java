package io.skein.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ends a wait, and what does not. */
@Timeout(60)
class PatienceTest {
    private final AtomicReference<Waiter> waiter = new AtomicReference<>();

    @AfterEach
    void clearInterrupt() {
        boolean _ = Thread.interrupted();
    }

    /** Waits on a thread of its own, and returns when that thread waits. */
    private Thread start(FutureTask<Boolean> wait) {
        Thread thread = new Thread(wait, "waiter");
        thread.start();
        Await.untilWaiting(thread);
        return thread;
    }

    private FutureTask<Boolean> wait(Patience patience) {
        return new FutureTask<>(() -> {
            waiter.set(new Waiter());
            return patience.await(waiter.get());
        });
    }

    @Test
    void noTimeIsNoWait() {
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            Waiter late = new Waiter();

            assertThat(Patience.of(none).await(late)).isFalse();
            assertThat(late.resume()).as("nobody waits").isFalse();
        }
    }

    @Test
    void aWaitWhoseTimeHasNotPassedGoesOnUntilItIsResumed() throws Exception {
        for (Patience patience : List.of(
                Patience.of(Duration.ofHours(1)), Patience.of(Duration.ofSeconds(Long.MAX_VALUE)), Patience.ENDLESS)) {
            FutureTask<Boolean> wait = wait(patience);
            start(wait);

            assertThat(waiter.get().resume()).isTrue();

            assertThat(wait.get()).isTrue();
        }
    }

    @Test
    void anInterruptEndsAWaitThatHasAnEndAndOneThatHasNone() throws Exception {
        for (Patience patience : List.of(Patience.ENDLESS, Patience.of(Duration.ofHours(1)))) {
            FutureTask<Boolean> wait = wait(patience);

            start(wait).interrupt();

            assertThat(wait.get()).isFalse();
        }
    }

    @Test
    void whoIsStubbornIsResumedInSpiteOfAnInterrupt() throws Exception {
        FutureTask<Boolean> wait = wait(Patience.STUBBORN);
        Thread thread = start(wait);
        thread.interrupt();
        Await.until("the interrupt was seen", () -> !thread.isInterrupted() || wait.isDone());
        Await.untilWaiting(thread);

        assertThat(waiter.get().resume()).isTrue();

        assertThat(wait.get()).isTrue();
    }

    @Test
    void anInterruptBeforeTheWaitIsThrownAndCleared() {
        for (Patience patience : List.of(Patience.ENDLESS, Patience.of(Duration.ofHours(1)))) {
            Thread.currentThread().interrupt();

            assertThatExceptionOfType(InterruptedException.class).isThrownBy(patience::checkInterrupt);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void theStubbornKeepAnInterruptForLater() throws InterruptedException {
        Thread.currentThread().interrupt();

        Patience.STUBBORN.checkInterrupt();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whoGaveUpIsToldWhetherItWasInterruptedOrLate() throws InterruptedException {
        assertThat(Patience.ENDLESS.gaveUp()).isFalse();

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(Patience.ENDLESS::gaveUp);
        assertThat(Thread.interrupted()).isFalse();
    }
}
