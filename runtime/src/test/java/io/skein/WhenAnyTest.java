package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** whenAny gives the first that has ended and leaves the others alone. */
@Mode.Each
@SuppressWarnings("FutureReturnValueIgnored") // A coroutine is the value here.
class WhenAnyTest extends ModeTest {
    private final CountDownLatch release = new CountDownLatch(1);

    WhenAnyTest(Mode mode) {
        super(mode);
    }

    /** Whether a failure that whenAny pointed at has been heard is its caller's affair. */
    @BeforeEach
    void expectFailures() {
        expectUnheardFailures();
    }

    private Coroutine<String> spawnPatient() {
        return skein.spawn("patient", () -> {
            release.await();
            return "patient";
        });
    }

    @Test
    void theFirstThatEndsIsGivenAndTheOthersGoOn() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Coroutine<String> slow = spawnPatient();
        Coroutine<String> first = skein.spawn(() -> {
            end.await();
            return "first";
        });
        Coroutine<Coroutine<String>> waiter = skein.spawn(() -> Tasks.whenAny(slow, first));
        Await.untilWaiting(waiter);

        end.countDown();

        assertThat((Object) waiter.join()).isSameAs(first);
        assertThat(first.resultNow()).isEqualTo("first");
        assertThat(slow.isDone()).isFalse();
        assertThat(slow.cancelToken().isCancelled()).isFalse();
        release.countDown();
        assertThat(slow.join()).isEqualTo("patient");
    }

    @Test
    void whatHasEndedAlreadyIsGivenAtOnce() throws Exception {
        Coroutine<String> slow = spawnPatient();
        Coroutine<String> done = skein.spawn(() -> "done");
        done.join();

        Coroutine<String> given = skein.blockOn(() -> Tasks.whenAny(List.of(slow, done)));

        assertThat((Object) given).isSameAs(done);
        release.countDown();
    }

    @Test
    void aFailureIsAnEndToo() throws Exception {
        Coroutine<String> slow = spawnPatient();
        Coroutine<String> failing = skein.spawn(() -> {
            throw new IOException("thread snapped");
        });

        Coroutine<String> given = skein.blockOn(() -> Tasks.whenAny(slow, failing));

        assertThat((Object) given).isSameAs(failing);
        assertThat(given.state()).isEqualTo(Future.State.FAILED);
        release.countDown();
    }

    @Test
    void aCancellationIsAnEndToo() throws Exception {
        Coroutine<String> slow = spawnPatient();
        Coroutine<String> victim = skein.spawn(() -> {
            new CountDownLatch(1).await();
            return "never";
        });
        Coroutine<Coroutine<String>> waiter = skein.spawn(() -> Tasks.whenAny(slow, victim));
        Await.untilWaiting(waiter);

        victim.cancel(true);

        assertThat((Object) waiter.join()).isSameAs(victim);
        release.countDown();
    }

    @Test
    void anInterruptedCallerStopsWaitingAndTheCoroutinesGoOn() throws Exception {
        Coroutine<String> one = spawnPatient();
        Coroutine<String> two = spawnPatient();
        Coroutine<?> waiter = skein.spawn(() -> {
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Tasks.whenAny(one, two));
        });
        Await.untilWaiting(waiter);

        waiter.thread().interrupt();
        waiter.join();

        assertThat(one.isDone()).isFalse();
        assertThat(two.isDone()).isFalse();
        release.countDown();
        assertThat(one.join()).isEqualTo("patient");
    }

    @Test
    void whenAnyOfNothingIsRefused() throws Exception {
        skein.blockOn(() -> {
            assertThatIllegalArgumentException().isThrownBy(() -> Tasks.<Object>whenAny());
            assertThatIllegalArgumentException().isThrownBy(() -> Tasks.<Object>whenAny(List.of()));
        });
    }

    @Test
    void whenAnyAgainAndAgainSeesEveryEnd() throws Exception {
        int seen = skein.blockOn(() -> {
            List<Coroutine<Integer>> pending = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int number = i;
                pending.add(Skein.current().spawn(() -> {
                    Coroutine.yieldNow();
                    return number;
                }));
            }
            int ends = 0;
            while (!pending.isEmpty()) {
                Coroutine<Integer> ended = Tasks.whenAny(pending);
                assertThat(ended.isDone()).isTrue();
                assertThat(pending.remove(ended)).isTrue();
                ends++;
            }
            return ends;
        });

        assertThat(seen).isEqualTo(200);
    }

    @Test
    void manyWaitersOfTheSameCoroutinesAllSeeTheEnd() throws Exception {
        Coroutine<String> one = spawnPatient();
        Coroutine<String> two = spawnPatient();
        List<Coroutine<Coroutine<String>>> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiters.add(skein.spawn(() -> Tasks.whenAny(one, two)));
        }
        waiters.forEach(Await::untilWaiting);

        release.countDown();

        for (Coroutine<Coroutine<String>> waiter : waiters) {
            assertThat(waiter.join().isDone()).isTrue();
        }
    }
}
