package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.skein.Await;
import io.skein.Dispatch;
import io.skein.Mode;
import io.skein.ModeTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What each dispatch chooses, and that spawns obey it. */
@Mode.SeveralWorkers
class DispatchTest extends ModeTest {
    /** Workers with given loads, seen by a caller that one of them runs, or none (-1). */
    private record Crowd(int current, List<Integer> loads, Set<Integer> held) implements Dispatch.Workers {
        Crowd(int current, List<Integer> loads) {
            this(current, loads, Set.of());
        }

        @Override
        public boolean isHeld(int worker) {
            return held.contains(worker);
        }

        @Override
        public int count() {
            return loads.size();
        }

        @Override
        public int load(int worker) {
            return loads.get(worker);
        }
    }

    DispatchTest(Mode mode) {
        super(mode);
    }

    @Test
    void roundRobinGoesAround() {
        Dispatch dispatch = Dispatch.roundRobin();
        Dispatch.Workers crowd = new Crowd(-1, List.of(0, 0, 0));

        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            chosen.add(dispatch.choose(crowd));
        }

        assertThat(chosen).containsExactly(0, 1, 2, 0, 1, 2, 0);
    }

    @Test
    void leastLoadedChoosesTheShortestQueue() {
        for (int i = 0; i < 100; i++) {
            assertThat(Dispatch.leastLoaded().choose(new Crowd(-1, List.of(5, 3, 9))))
                    .isEqualTo(1);
        }
    }

    @Test
    void leastLoadedChoosesEachOfThoseThatAreEqual() {
        Set<Integer> chosen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            chosen.add(Dispatch.leastLoaded().choose(new Crowd(-1, List.of(2, 7, 2))));
        }

        assertThat(chosen).containsExactlyInAnyOrder(0, 2);
    }

    @Test
    void aWorkerThatIsHeldIsPassedOver() {
        Dispatch around = Dispatch.roundRobin();
        Dispatch.Workers crowd = new Crowd(-1, List.of(1, 0, 4), Set.of(1));
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            chosen.add(around.choose(crowd));
        }

        assertThat(chosen).containsExactly(0, 2, 2, 0);
        for (int i = 0; i < 100; i++) {
            assertThat(Dispatch.leastLoaded().choose(crowd)).isEqualTo(0);
        }
    }

    @Test
    void whereAllAreHeldTheyAreChosenAsEver() {
        Dispatch.Workers crowd = new Crowd(-1, List.of(2, 1), Set.of(0, 1));
        Dispatch around = Dispatch.roundRobin();

        assertThat(List.of(around.choose(crowd), around.choose(crowd))).containsExactly(0, 1);
        assertThat(Dispatch.leastLoaded().choose(crowd)).isEqualTo(1);
    }

    @Test
    void equalKeysLandOnTheSameWorkerAndManyKeysOnAll() {
        Dispatch.Workers crowd = new Crowd(-1, List.of(0, 0, 0));
        Set<Integer> chosen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            int first = Dispatch.byKey("key-" + i).choose(crowd);
            int second = Dispatch.byKey("key-".concat(Integer.toString(i))).choose(crowd);

            assertThat(first).isEqualTo(second);
            chosen.add(first);
        }

        assertThat(chosen).containsExactlyInAnyOrder(0, 1, 2);
        assertThatNullPointerException().isThrownBy(() -> Dispatch.byKey(null));
    }

    @Test
    void localFirstStaysWhereTheCallerIsAndGoesAroundFromOutside() {
        Dispatch dispatch = Dispatch.localFirst();

        assertThat(dispatch.choose(new Crowd(2, List.of(0, 0, 0)))).isEqualTo(2);
        assertThat(List.of(
                        dispatch.choose(new Crowd(-1, List.of(0, 0))), dispatch.choose(new Crowd(-1, List.of(0, 0)))))
                .containsExactly(0, 1);
    }

    @Test
    void aSpawnOnAWorkerThatIsFreeStartsThere() throws Exception {
        for (int round = 0; round < 100; round++) {
            int worker = round % 3;
            FreeWorkers.await(skein);

            assertThat(skein.spawnOn(worker, Carrier::number).join()).isEqualTo(worker);
        }
    }

    @Test
    void aDispatchOfOnesOwnIsAskedOnceForEachSpawnAndSeesTheWorkers() throws Exception {
        List<String> asked = new ArrayList<>();
        Dispatch own = workers -> {
            asked.add("current " + workers.current() + " of " + workers.count() + " load " + workers.load(1));
            return 1;
        };
        FreeWorkers.await(skein);

        assertThat(skein.spawn(own, Carrier::number).join()).isEqualTo(1);

        assertThat(asked).containsExactly("current -1 of 3 load 0");
    }

    @Test
    void aDispatchKnowsWhichWorkerRunsTheCaller() throws Exception {
        skein.blockOn(() -> {
            int[] current = new int[1];
            int here = Carrier.number();
            skein.spawn(
                            workers -> {
                                current[0] = workers.current();
                                return 0;
                            },
                            () -> {})
                    .join();

            assertThat(current[0]).isEqualTo(here);
        });
    }

    @Test
    void aWorkerOfAnotherRuntimeIsNotTheCallersWorker() throws Exception {
        int[] current = new int[1];
        skein.blockOn(() -> {
            try (var other = mode.builder().name("skein-other").start()) {
                other.spawn(
                                workers -> {
                                    current[0] = workers.current();
                                    return 2;
                                },
                                () -> {})
                        .join();
            }
        });

        assertThat(current[0]).isEqualTo(-1);
    }

    @Test
    void aWorkerThatThereIsNotIsRefusedAndNamed() throws Exception {
        for (int worker : new int[] {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> skein.spawnOn(worker, () -> "nowhere"))
                    .withMessageContaining(Integer.toString(worker));
        }
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> skein.spawnOn(3, () -> "nowhere")))
                .withCauseInstanceOf(IndexOutOfBoundsException.class);
        Await.until("nobody lives", () -> skein.metrics().liveCoroutines() == 0);
    }

    @Test
    void aDispatchThatFailsFailsTheSpawnAndNothingElse() throws Exception {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> skein.spawn(
                        _ -> {
                            throw new IllegalStateException("no idea");
                        },
                        () -> "nowhere"))
                .withMessage("no idea");

        assertThat(skein.metrics().liveCoroutines()).isZero();
        assertThat(skein.blockOn(() -> "alive")).isEqualTo("alive");
    }
}
