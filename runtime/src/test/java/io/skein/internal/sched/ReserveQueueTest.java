package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Skein;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A queue that takes no memory: each coroutine is polled once, however often it was added before. */
@Timeout(60)
class ReserveQueueTest {
    private final Skein skein = Skein.start();
    private final ReserveQueue queue = new ReserveQueue();

    @AfterEach
    void close() {
        skein.close();
    }

    private SpawnedCoroutine<?> coroutine() {
        return (SpawnedCoroutine<?>) skein.spawn(() -> {});
    }

    private List<SpawnedCoroutine<?>> coroutines(int count) {
        List<SpawnedCoroutine<?>> coroutines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            coroutines.add(coroutine());
        }
        return coroutines;
    }

    private List<SpawnedCoroutine<?>> pollAll() {
        List<SpawnedCoroutine<?>> polled = new ArrayList<>();
        for (SpawnedCoroutine<?> next = queue.poll(); next != null; next = queue.poll()) {
            polled.add(next);
        }
        return polled;
    }

    @Test
    void whatWasAddedIsPolledOnce() {
        List<SpawnedCoroutine<?>> all = coroutines(5);

        all.forEach(queue::add);

        assertThat(queue.isEmpty()).isFalse();
        assertThat(pollAll()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void oneThatIsThereIsNotAddedAgain() {
        SpawnedCoroutine<?> coroutine = coroutine();

        queue.add(coroutine);
        queue.add(coroutine);

        assertThat(pollAll()).hasSize(1);
    }

    @Test
    void oneThatWasTakenButNotPolledIsNotAddedAgain() {
        List<SpawnedCoroutine<?>> all = coroutines(2);
        all.forEach(queue::add);
        SpawnedCoroutine<?> first = queue.poll();

        all.forEach(queue::add);

        assertThat(pollAll()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(first).isIn(all);
    }

    @Test
    void whatIsAddedWhileSomeAreLeftIsPolledToo() {
        List<SpawnedCoroutine<?>> all = coroutines(4);
        all.subList(0, 2).forEach(queue::add);
        List<SpawnedCoroutine<?>> polled = new ArrayList<>(List.of(queue.poll()));

        all.subList(2, 4).forEach(queue::add);

        polled.addAll(pollAll());
        assertThat(polled).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void whatThreadsAddAtOnceIsPolledAfterwardsByTheOneThatPolls() throws Exception {
        List<SpawnedCoroutine<?>> all = coroutines(50);
        int rounds = 2_000;
        Thread[] adders = new Thread[3];
        for (int i = 0; i < adders.length; i++) {
            adders[i] = Thread.ofPlatform().start(() -> {
                for (int round = 0; round < rounds; round++) {
                    all.forEach(queue::add);
                }
            });
        }
        while (adders[0].isAlive() || adders[1].isAlive() || adders[2].isAlive()) {
            SpawnedCoroutine<?> _ = queue.poll();
        }
        pollAll();

        all.forEach(queue::add); // each is free again, so none was lost
        assertThat(pollAll()).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aCoroutineThatAWorkerPollsGoesOnWhereverItStopped() throws Exception {
        SpawnedCoroutine<?> parked = (SpawnedCoroutine<?>) skein.spawn(() -> LockSupport.park());
        Await.untilWaiting(parked);

        parked.scheduler().crew().scheduleInReserve(parked, null);

        parked.join();
    }
}
