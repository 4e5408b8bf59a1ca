package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class IdleWorkersTest {
    private final IdleWorkers idle = new IdleWorkers(4);

    @Test
    void nobodyIsWokenWhileEveryoneIsAwake() {
        assertThat(idle.shouldWake(1)).isFalse();
        assertThat(idle.wakeOne(1)).isEqualTo(-1);
        assertThat(idle.wake(2)).isEqualTo(-1);
    }

    @ParameterizedTest(name = "{0} workers")
    @CsvSource({"1, 1", "2, 1", "3, 2", "4, 2", "8, 4", "64, 32"})
    void halfOfTheWorkersAndNoMoreSearch(int workers, int searchers) {
        IdleWorkers many = new IdleWorkers(workers);
        for (int i = 0; i < searchers; i++) {
            assertThat(many.startSearching()).isTrue();
        }

        assertThat(many.startSearching()).isFalse();
        many.stopSearching();
        assertThat(many.startSearching()).isTrue();
    }

    @Test
    void theLastToStopSearchingIsTold() {
        idle.startSearching();
        idle.startSearching();

        assertThat(idle.stopSearching()).isFalse();
        assertThat(idle.stopSearching()).isTrue();
    }

    @Test
    void whoFallsAsleepIsToldWhenNobodySearches() {
        idle.startSearching();
        idle.startSearching();

        assertThat(idle.fallAsleep(0, true)).isFalse();
        assertThat(idle.fallAsleep(1, true)).isTrue();
        assertThat(idle.fallAsleep(2, false)).isTrue();
    }

    @Test
    void newWorkWakesOneSleeperAndNoSecondWhileThatOneSearches() {
        idle.fallAsleep(0, false);
        idle.fallAsleep(3, false);

        int woken = idle.wakeOne(1);

        assertThat(woken).isIn(0, 3);
        assertThat(idle.isAsleep(woken)).isFalse();
        assertThat(idle.shouldWake(1)).isFalse();
        assertThat(idle.wakeOne(1)).isEqualTo(-1);
    }

    @Test
    void aSearcherThatFoundWorkLetsTheNextBeWoken() {
        idle.fallAsleep(0, false);
        idle.fallAsleep(3, false);
        int first = idle.wakeOne(1);
        assertThat(idle.wakeUp(first)).isTrue();

        assertThat(idle.stopSearching()).isTrue();

        assertThat(idle.wakeOne(1)).isEqualTo(first == 0 ? 3 : 0);
    }

    @Test
    void whoeverIsWokenByAnotherIsASearcherAndWhoWakesByItselfIsNot() {
        idle.fallAsleep(1, false);
        idle.fallAsleep(2, false);

        assertThat(idle.wake(1)).isEqualTo(1);

        assertThat(idle.wakeUp(1)).isTrue();
        assertThat(idle.wakeUp(2)).isFalse();
        assertThat(idle.isAsleep(2)).isFalse();
    }

    @Test
    void aWorkerIsKnownToSleepFromItsEntryToItsExit() {
        assertThat(idle.isAsleep(2)).isFalse();
        idle.fallAsleep(2, false);
        assertThat(idle.isAsleep(2)).isTrue();
        idle.wakeUp(2);
        assertThat(idle.isAsleep(2)).isFalse();
    }

    @Test
    void aParticularSleeperIsWokenEvenWhileAnotherSearches() {
        idle.fallAsleep(1, false);
        idle.startSearching();

        assertThat(idle.wake(1)).isEqualTo(1);
    }

    @Test
    void forAWorkerThatIsAwakeNoOtherIsWoken() {
        idle.fallAsleep(1, false);

        assertThat(idle.wake(2)).isEqualTo(-1);
        assertThat(idle.isAsleep(1)).isTrue();
    }

    @Test
    void moreWorkersThanFitIntoOneWordSleepAndWake() {
        IdleWorkers many = new IdleWorkers(130);
        for (int i = 0; i < 130; i++) {
            many.fallAsleep(i, false);
        }

        Set<Integer> woken = new HashSet<>();
        for (int i = 0; i < 130; i++) {
            int worker = many.wakeOne(1);
            assertThat(many.wakeUp(worker)).isTrue();
            many.stopSearching();
            woken.add(worker);
        }

        assertThat(woken).hasSize(130);
        assertThat(many.wakeOne(1)).isEqualTo(-1);
    }

    @Test
    void aSleeperIsWokenByOneOfThoseWhoRaceForIt() throws Exception {
        int rounds = 5_000;
        AtomicInteger wakers = new AtomicInteger();
        CyclicBarrier asleep = new CyclicBarrier(3);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < rounds; round++) {
                    meet(asleep);
                    if (idle.wake(0) == 0) {
                        wakers.incrementAndGet();
                    }
                    meet(asleep);
                }
            }));
        }

        int wokenByOthers = 0;
        for (int round = 0; round < rounds; round++) {
            idle.fallAsleep(0, false);
            meet(asleep);
            boolean searching = idle.wakeUp(0);
            meet(asleep);
            if (searching) {
                wokenByOthers++;
                idle.stopSearching();
            }
            assertThat(idle.isAsleep(0)).isFalse();
            assertThat(idle.wakeOne(1)).as("all are awake again").isEqualTo(-1);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wakers).hasValue(wokenByOthers);
        assertThat(idle.startSearching()).isTrue();
        assertThat(idle.stopSearching())
                .as("the counts are back where they began")
                .isTrue();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void moreWorkThanWorkersSearchWakesAnother() {
        for (int worker = 0; worker < 3; worker++) {
            idle.fallAsleep(worker, false);
        }

        assertThat(idle.wakeOne(1)).isEqualTo(0);
        assertThat(idle.shouldWake(1)).isFalse();
        assertThat(idle.wakeOne(1)).isEqualTo(-1);
        assertThat(idle.shouldWake(2)).isTrue();
        assertThat(idle.wakeOne(2)).isEqualTo(1);
        assertThat(idle.wakeOne(2)).isEqualTo(-1);
    }
}
