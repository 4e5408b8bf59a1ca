package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Setup.Each
class JoinTest extends RuntimeTest {
    JoinTest(Setup setup) {
        super(setup);
    }

    /** Some coroutines here fail before their joiner comes, so the handler may hear of them too. */
    @BeforeEach
    void expectFailures() {
        expectUnheardFailures();
    }

    @Test
    void joinWrapsTheFailureOfTheBody() {
        IOException failure = new IOException("thread snapped");
        Coroutine<String> coroutine = skein.spawn(() -> {
            throw failure;
        });

        assertThatThrownBy(coroutine::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(failure);
    }

    @Test
    void joinWrapsAnErrorToo() {
        AssertionError failure = new AssertionError("wrong pattern");
        Coroutine<?> coroutine = skein.spawn((Action) () -> {
            throw failure;
        });

        assertThatThrownBy(coroutine::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(failure);
    }

    @Test
    void joinKeepsTheStackTracesOfBothSides() {
        Coroutine<?> coroutine = skein.spawn(JoinTest::snap);

        Throwable thrown = catchThrowable(() -> joinHere(coroutine));

        assertThat(methodsOf(thrown)).contains("joinHere");
        assertThat(methodsOf(thrown.getCause())).contains("snap");
    }

    @Test
    void blockOnKeepsTheStackTracesOfBothSides() {
        Throwable thrown = catchThrowable(() -> skein.blockOn(JoinTest::snap));

        assertThat(thrown).isInstanceOf(CompletionException.class);
        assertThat(methodsOf(thrown)).contains("blockOnKeepsTheStackTracesOfBothSides");
        assertThat(methodsOf(thrown.getCause())).contains("snap");
    }

    @Test
    void eachJoinerGetsTheSameFailureInAnExceptionOfItsOwn() {
        Coroutine<?> coroutine = skein.spawn(JoinTest::snap);

        Throwable first = catchThrowable(coroutine::join);
        Throwable second = catchThrowable(coroutine::join);

        assertThat(second).isInstanceOf(CompletionException.class).isNotSameAs(first);
        assertThat(second.getCause()).isSameAs(first.getCause());
    }

    @Test
    void everyLaterJoinGetsTheSameValue() throws Exception {
        Coroutine<Object> coroutine = skein.spawn(Object::new);

        Object value = coroutine.join();

        assertThat(coroutine.join()).isSameAs(value);
        assertThat(skein.blockOn(coroutine::join)).isSameAs(value);
    }

    @Test
    void manyCoroutinesJoinOne() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<String> joined = skein.spawn(() -> {
            release.await();
            return "for all";
        });
        var joiners =
                IntStream.range(0, 20).mapToObj(_ -> skein.spawn(joined::join)).toList();
        joiners.forEach(Await::untilWaiting);

        release.countDown();

        for (Coroutine<String> joiner : joiners) {
            assertThat(joiner.join()).isEqualTo("for all");
        }
    }

    @Test
    void anInterruptedJoinerStopsWaitingAndTheCoroutineGoesOn() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<String> joined = skein.spawn(() -> {
            release.await();
            return "done all the same";
        });
        Coroutine<?> joiner = skein.spawn(() -> {
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(joined::join);
        });
        Await.untilWaiting(joiner);

        joiner.thread().interrupt();
        joiner.join();
        release.countDown();

        assertThat(joined.join()).isEqualTo("done all the same");
    }

    @Test
    void anInterruptedCallerOfBlockOnStopsWaiting() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        Coroutine<?> interrupter = skein.spawn(() -> {
            Await.untilWaiting(caller);
            caller.interrupt();
        });

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> skein.blockOn(() -> {
                    release.await();
                }));

        release.countDown();
        interrupter.join();
    }

    @Test
    void getThrowsAnExecutionExceptionLikeEveryFuture() {
        IOException failure = new IOException("thread snapped");
        Coroutine<String> coroutine = skein.spawn(() -> {
            throw failure;
        });

        assertThatThrownBy(coroutine::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isSameAs(failure);
    }

    @Test
    void getGivesUpAfterItsTimeoutAndTheCoroutineGoesOn() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<String> coroutine = skein.spawn(() -> {
            release.await();
            return "late";
        });

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> coroutine.get(1, TimeUnit.MILLISECONDS));

        release.countDown();
        assertThat(coroutine.get(10, TimeUnit.SECONDS)).isEqualTo("late");
    }

    @Test
    void theStateOfACoroutineFollowsItsLife() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<String> coroutine = skein.spawn(() -> {
            release.await();
            return "value";
        });

        assertThat(coroutine.state()).isEqualTo(Future.State.RUNNING);
        assertThat(coroutine.isDone()).isFalse();
        release.countDown();
        coroutine.join();

        assertThat(coroutine.isDone()).isTrue();
        assertThat(coroutine.isCancelled()).isFalse();
        assertThat(coroutine.state()).isEqualTo(Future.State.SUCCESS);
        assertThat(coroutine.resultNow()).isEqualTo("value");
    }

    @Test
    void aFailedCoroutineShowsItsFailure() {
        Coroutine<?> coroutine = skein.spawn(JoinTest::snap);

        Throwable thrown = catchThrowable(coroutine::join);

        assertThat(coroutine.state()).isEqualTo(Future.State.FAILED);
        assertThat(coroutine.exceptionNow()).isSameAs(thrown.getCause());
    }

    private static List<String> methodsOf(@Nullable Throwable thrown) {
        return Stream.of(Objects.requireNonNull(thrown).getStackTrace())
                .map(StackTraceElement::getMethodName)
                .toList();
    }

    private static void snap() throws IOException {
        throw new IOException("thread snapped");
    }

    private static void joinHere(Coroutine<?> coroutine) throws InterruptedException {
        coroutine.join();
    }
}
