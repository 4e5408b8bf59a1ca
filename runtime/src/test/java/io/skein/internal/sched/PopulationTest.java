package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PopulationTest {
    private final Population population = new Population();

    @Test
    void anEmptyOneDoesNotRefuse() {
        assertThat(population.isRefusing()).isFalse();
        assertThat(population.size()).isZero();
    }

    @Test
    void itCountsWhoComesAndGoes() {
        population.enter(false);
        population.enter(true);
        population.leave();

        assertThat(population.size()).isEqualTo(1);
        assertThat(population.isRefusing()).isFalse();
    }

    @Test
    void onceItRefusesOnlyThoseInsideMayBringOthersIn() {
        population.enter(false);
        population.refuse();

        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> population.enter(false))
                .withMessageContaining("closed");
        population.enter(true);

        assertThat(population.size()).isEqualTo(2);
    }

    @Test
    void onceItRefusesAndIsEmptyNobodyComesInAtAll() {
        population.refuse();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> population.enter(true));
        assertThat(population.size()).isZero();
    }

    @Test
    void theWaitForTheLastToGoEndsWhenItGoes() throws Exception {
        population.enter(false);
        population.refuse();
        population.refuse();
        assertThat(population.awaitGone(0, TimeUnit.SECONDS)).isFalse();

        population.leave();

        assertThat(population.awaitGone(0, TimeUnit.SECONDS)).isTrue();
        population.awaitGone();
    }

    @Test
    void anEmptyPopulationIsGoneAsSoonAsItRefuses() throws Exception {
        assertThat(population.awaitGone(0, TimeUnit.SECONDS)).isFalse();

        population.refuse();

        assertThat(population.awaitGone(0, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theWaitForIdlenessRefusesFromTheMomentThatNobodyLives() throws Exception {
        population.enter(false);
        Thread waiter = Thread.ofVirtual().start(() -> awaitIdle(population));
        Await.untilWaiting(waiter);
        population.enter(false);
        population.leave();
        assertThat(population.isRefusing()).isFalse();

        population.leave();
        waiter.join();

        assertThat(population.isRefusing()).isTrue();
        assertThat(population.awaitGone(0, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theWaitForTheLastToGoDoesNotEndBefore() {
        population.enter(false);
        population.refuse();
        Thread waiter = Thread.ofPlatform().start(() -> awaitGone(population));
        Await.untilWaiting(waiter);

        population.leave();

        Await.untilEnded("the wait", waiter);
    }

    @Test
    void whoWaitsForIdlenessWaitsForTheLastToGoOnceAnotherHasRefused() {
        population.enter(false);
        Thread waiter = Thread.ofPlatform().start(() -> awaitIdle(population));
        Await.untilWaiting(waiter);

        population.refuse();
        Await.untilInside("await", waiter);
        population.leave();

        Await.untilEnded("the wait", waiter);
    }

    @Test
    void whoIsInterruptedInTheWaitForIdlenessLeavesTheOthersWaiting() {
        population.enter(false);
        Thread other = Thread.ofPlatform().start(() -> awaitIdle(population));
        Await.untilWaiting(other);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread first = Thread.ofPlatform().start(() -> {
            awaitIdle(population);
            interrupted.set(Thread.interrupted());
        });
        Await.untilWaiting(first);

        first.interrupt();
        Await.untilEnded("the wait that was interrupted", first);
        assertThat(interrupted).isTrue();
        assertThat(population.isRefusing()).isFalse();

        population.leave();
        Await.untilEnded("the other wait", other);
        assertThat(population.isRefusing()).isTrue();
    }

    @Test
    void whoComesInWhileTheDoorClosesIsWaitedForOrRefused() throws Exception {
        for (int round = 0; round < 20_000; round++) {
            Population racing = new Population();
            CyclicBarrier start = new CyclicBarrier(2);
            AtomicInteger inside = new AtomicInteger();
            Thread comer = Thread.ofVirtual().start(() -> {
                meet(start);
                try {
                    racing.enter(false);
                } catch (RejectedExecutionException refused) {
                    return;
                }
                inside.incrementAndGet();
                racing.enter(true);
                racing.leave();
                inside.decrementAndGet();
                racing.leave();
            });

            meet(start);
            racing.refuse();
            racing.awaitGone();

            assertThat(inside).hasValue(0);
            comer.join();
            assertThat(racing.size()).isZero();
        }
    }

    private static void awaitGone(Population population) {
        try {
            population.awaitGone();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitIdle(Population population) {
        try {
            population.awaitIdleAndRefuse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
