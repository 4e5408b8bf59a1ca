package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.Scope.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a scope makes of its children's ends is its policy's choice. */
@Mode.Each
class ScopePolicyTest extends ModeTest {
    private static final String NEVER = "never";

    ScopePolicyTest(Mode mode) {
        super(mode);
    }

    private static String waitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
        return NEVER;
    }

    @Test
    void theFirstSuccessIsTheResultAndTheRestIsCancelled() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, String> scope = Scope.open(Policy.firstSuccess())) {
                Coroutine<String> loser = scope.fork(ScopePolicyTest::waitForEver);
                var _ = scope.fork(() -> "winner");
                Coroutine<String> other = scope.fork(ScopePolicyTest::waitForEver);

                assertThat(scope.join()).isEqualTo("winner");
                assertThat(scope.join()).as("again").isEqualTo("winner");

                assertThat(loser.isCancelled()).isTrue();
                assertThat(other.isCancelled()).isTrue();
                assertThat(scope.isCancelled()).isTrue();
            }
        });
    }

    @Test
    void aFailureBeforeTheFirstSuccessDoesNotMatter() throws Exception {
        expectUnheardFailures();
        String winner = skein.blockOn(() -> {
            try (Scope<String, String> scope = Scope.open(Policy.firstSuccess())) {
                CountDownLatch failed = new CountDownLatch(1);
                var _ = scope.fork((Action) () -> {
                    failed.countDown();
                    throw new IOException("thread snapped");
                });
                failed.await();
                var _ = scope.fork(() -> "winner");
                return scope.join();
            }
        });

        assertThat(winner).isEqualTo("winner");
    }

    @Test
    void whenAllFailTheFirstFailureIsThrownAndTheOthersAreSuppressed() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, String> scope = Scope.open(Policy.firstSuccess())) {
                List<IOException> failures = List.of(new IOException("1"), new IOException("2"), new IOException("3"));
                Coroutine<String> previous = null;
                for (IOException failure : failures) {
                    Coroutine<String> before = previous;
                    previous = scope.fork(() -> {
                        while (before != null && before.thread().isAlive()) { // it has told the scope by then
                            Coroutine.yieldNow();
                        }
                        throw failure;
                    });
                }

                Throwable thrown = catchThrowable(scope::join);

                assertThat(thrown).isInstanceOf(CompletionException.class).hasCause(failures.get(0));
                assertThat(StackTraces.suppressedIn(thrown))
                        .containsExactlyInAnyOrder(failures.get(1), failures.get(2));
            }
        });
    }

    @Test
    void withNoChildThereIsNoFirstSuccess() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, String> scope = Scope.open(Policy.firstSuccess())) {
                assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(scope::join);
            }
        });
    }

    @Test
    void gatherGivesEveryChildInTheOrderOfForkingWhateverItsOutcome() throws Exception {
        skein.blockOn(() -> {
            IOException failure = new IOException("thread snapped");
            try (Scope<String, List<Coroutine<String>>> scope = Scope.open(Policy.<String>gather())) {
                CountDownLatch last = new CountDownLatch(1);
                List<Coroutine<String>> forked = new ArrayList<>();
                forked.add(scope.fork(() -> {
                    last.await();
                    return "first forked, last to end";
                }));
                forked.add(scope.fork(() -> {
                    throw failure;
                }));
                Coroutine<String> cancelled = scope.fork(ScopePolicyTest::waitForEver);
                forked.add(cancelled);
                forked.add(scope.fork(() -> {
                    last.countDown();
                    return "last forked";
                }));
                cancelled.cancel(true);

                List<Coroutine<String>> gathered = scope.join();

                assertThat(gathered).containsExactlyElementsOf(forked);
                assertThat(gathered)
                        .extracting(Coroutine::state)
                        .containsExactly(
                                Future.State.SUCCESS,
                                Future.State.FAILED,
                                Future.State.CANCELLED,
                                Future.State.SUCCESS);
                assertThat(gathered.get(1).exceptionNow()).isSameAs(failure);
                assertThat(scope.isCancelled()).isFalse();
            }
        });
    }

    @Test
    void gatherOfNothingIsEmpty() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, List<Coroutine<String>>> scope = Scope.open(Policy.<String>gather())) {
                assertThat(scope.join()).isEmpty();
            }
        });
    }

    @Test
    void gatherAfterALaterForkHasThatToo() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, List<Coroutine<String>>> scope = Scope.open(Policy.<String>gather())) {
                Coroutine<String> one = scope.fork(() -> "one");
                assertThat(scope.join()).containsExactly(one);
                Coroutine<String> two = scope.fork(() -> "two");
                assertThat(scope.join()).containsExactly(one, two);
            }
        });
    }

    /** Counts the ends and cancels the rest after so many. */
    private static final class AfterSoMany implements Policy<Integer, Integer> {
        final Queue<Coroutine<? extends Integer>> ended = new ConcurrentLinkedQueue<>();
        final AtomicInteger results = new AtomicInteger();
        private final int enough;

        AfterSoMany(int enough) {
            this.enough = enough;
        }

        @Override
        public boolean onEnd(Coroutine<? extends Integer> child) {
            assertThat(child.isDone()).isTrue();
            ended.add(child);
            return ended.size() >= enough;
        }

        @Override
        public Integer result() {
            results.incrementAndGet();
            return ended.size();
        }
    }

    @Test
    void aPolicyOfOnesOwnHearsOfEveryEndOnceAndMakesTheResult() throws Exception {
        AfterSoMany policy = new AfterSoMany(Integer.MAX_VALUE);
        skein.blockOn(() -> {
            try (Scope<Integer, Integer> scope = Scope.open(policy)) {
                List<Coroutine<Integer>> children = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    int number = i;
                    children.add(scope.fork(() -> number));
                }

                assertThat(scope.join()).isEqualTo(100);
                assertThat(policy.ended).containsExactlyInAnyOrderElementsOf(children);
                assertThat(scope.isCancelled()).isFalse();
            }
        });
    }

    @Test
    void aPolicyThatHasEnoughCancelsTheRestAndHearsOfThemToo() throws Exception {
        AfterSoMany policy = new AfterSoMany(3);
        skein.blockOn(() -> {
            try (Scope<Integer, Integer> scope = Scope.open(policy)) {
                List<Coroutine<Integer>> endless = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    endless.add(scope.fork(() -> waitForEver().length()));
                }
                for (int i = 0; i < 3; i++) {
                    int number = i;
                    var _ = scope.fork(() -> number);
                }

                assertThat(scope.join()).isEqualTo(8);
                assertThat(endless)
                        .allSatisfy(child -> assertThat(child.isCancelled()).isTrue());
                assertThat(scope.isCancelled()).isTrue();
            }
        });
    }

    @Test
    void aPolicysResultIsAskedForByTheJoinOnly() throws Exception {
        AfterSoMany policy = new AfterSoMany(Integer.MAX_VALUE);
        skein.blockOn(() -> {
            try (Scope<Integer, Integer> scope = Scope.open(policy)) {
                Coroutine<Integer> child = scope.fork(() -> 1);
                child.join();
                assertThat(policy.results).hasValue(0);
            }
        });

        assertThat(policy.results).hasValue(0);
    }

    @Test
    void aScopeThatIsCancelledAfterItsPolicyHadItsResultStillGivesIt() throws Exception {
        String winner = skein.blockOn(() -> {
            try (Scope<String, String> scope = Scope.open(Policy.firstSuccess())) {
                Coroutine<String> first = scope.fork(() -> "winner");
                first.join();
                scope.cancel();
                return scope.join();
            }
        });

        assertThat(winner).isEqualTo("winner");
    }
}
