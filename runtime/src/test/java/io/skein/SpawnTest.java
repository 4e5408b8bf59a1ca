package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.internal.loom.Loom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

@Setup.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class SpawnTest extends RuntimeTest {
    SpawnTest(Setup setup) {
        super(setup);
    }

    @Test
    void aCoroutineEndsWithTheValueOfItsBody() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> "woven");

        assertThat(coroutine.join()).isEqualTo("woven");
    }

    @Test
    void aBodyWithoutAValueRunsAndEndsWithNull() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();

        Coroutine<?> coroutine = skein.spawn(() -> {
            ran.set(true);
        });

        assertThat(coroutine.join()).isNull();
        assertThat(ran).isTrue();
    }

    @Test
    void aCoroutineIsAVirtualThreadThatItsHandleKnows() throws Exception {
        Coroutine<Thread> coroutine = skein.spawn(Thread::currentThread);

        assertThat(coroutine.join()).isSameAs(coroutine.thread());
        assertThat(coroutine.thread().isVirtual()).isTrue();
    }

    @Test
    void aCoroutineRunsOnAWorkerOfItsRuntime() throws Exception {
        String carried = skein.spawn(() -> Thread.currentThread().toString()).join();

        assertThat(carried).contains(Loom.available() ? "@skein-test" : "@ForkJoinPool");
    }

    @Test
    void aNameIsTheNameOfTheCoroutineAndOfItsThread() throws Exception {
        Coroutine<String> valued =
                skein.spawn("spinner", () -> Thread.currentThread().getName());
        Coroutine<?> voidBody = skein.spawn("weaver", () -> {
            assertThat(Thread.currentThread().getName()).isEqualTo("weaver");
        });

        assertThat(valued.name()).isEqualTo("spinner");
        assertThat(valued.join()).isEqualTo("spinner");
        assertThat(voidBody.name()).isEqualTo("weaver");
        assertThat(voidBody.join()).isNull();
    }

    @Test
    void blockOnGivesTheValueOfItsBody() throws Exception {
        assertThat(skein.blockOn(() -> 42)).isEqualTo(42);
    }

    @Test
    void blockOnRunsABodyWithoutAValueToItsEnd() throws Exception {
        AtomicReference<Thread> ranOn = new AtomicReference<>();

        skein.blockOn(() -> {
            ranOn.set(Thread.currentThread());
        });

        assertThat(ranOn.get()).isNotNull().isNotSameAs(Thread.currentThread());
    }

    @Test
    void aCoroutineSpawnsOthersAndJoinsThem() throws Exception {
        int sum = skein.blockOn(() -> {
            List<Coroutine<Integer>> children = new ArrayList<>();
            for (int i = 1; i <= 100; i++) {
                int number = i;
                children.add(Skein.current().spawn(() -> number));
            }
            int total = 0;
            for (Coroutine<Integer> child : children) {
                total += child.join();
            }
            return total;
        });

        assertThat(sum).isEqualTo(5050);
    }

    @Test
    void coroutinesNestAsDeepAsTheyLike() throws Exception {
        assertThat(skein.blockOn(() -> depthBelow(200))).isEqualTo(200);
    }

    @Test
    void insideACoroutineCurrentIsItsRuntime() throws Exception {
        assertThat(skein.blockOn(Skein::current)).isSameAs(skein);
    }

    @Test
    void currentIsTheSameAfterACoroutineHasMovedBetweenWorkers() throws Exception {
        List<Coroutine<Boolean>> wanderers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            wanderers.add(skein.spawn(() -> {
                for (int turn = 0; turn < 100; turn++) {
                    Thread.yield();
                    if (Skein.current() != skein) {
                        return false;
                    }
                }
                return true;
            }));
        }

        for (Coroutine<Boolean> wanderer : wanderers) {
            assertThat(wanderer.join()).isTrue();
        }
    }

    @Test
    void twoRuntimesKeepTheirCoroutinesApart() throws Exception {
        try (Skein other = setup.builder().start()) {
            Coroutine<Skein> elsewhere = skein.blockOn(() -> other.spawn(Skein::current));

            assertThat(elsewhere.join()).isSameAs(other);
        }
    }

    @Test
    void outsideOfCoroutinesThereIsNoCurrentRuntime() {
        assertThatIllegalStateException().isThrownBy(Skein::current);
    }

    @Test
    void aVirtualThreadOfTheJdkIsNoCoroutine() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();

        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                Skein.current();
            } catch (IllegalStateException e) {
                failure.set(e);
            }
        });
        thread.join();

        assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatTheSpawnerWroteBeforeIsSeenInside() throws Exception {
        int[] plain = new int[1];
        for (int round = 1; round <= 1000; round++) {
            plain[0] = round;

            assertThat(skein.spawn(() -> plain[0]).join()).isEqualTo(round);
        }
    }

    @Test
    void aCoroutineThatYieldsLetsTheOthersRun() throws Exception {
        CountDownLatch otherRan = new CountDownLatch(1);
        Coroutine<?> yielding = skein.spawn(() -> {
            while (otherRan.getCount() > 0) {
                Thread.yield();
            }
        });

        skein.spawn(otherRan::countDown).join();

        assertThat(yielding.join()).isNull();
    }

    private static int depthBelow(int depth) throws Exception {
        return depth == 0
                ? 0
                : 1 + Skein.current().spawn(() -> depthBelow(depth - 1)).join();
    }
}
