package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A call with a cancel of its own is ended by that, and not by an interrupt. */
@Mode.Each
class EndedByTest extends ModeTest {
    /** A query, say: runs until it is cancelled, and notes whether it was interrupted. */
    private static final class Query {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final AtomicInteger cancels = new AtomicInteger();
        private final AtomicReference<Throwable> interrupt = new AtomicReference<>();

        String run() throws IOException {
            begun.countDown();
            try {
                cancelled.await();
            } catch (InterruptedException e) {
                interrupt.set(e);
            }
            throw new IOException("the query was cancelled");
        }

        void cancel() {
            cancels.incrementAndGet();
            cancelled.countDown();
        }
    }

    EndedByTest(Mode mode) {
        super(mode);
    }

    @Test
    void aCallThatIsLeftAloneReturnsOrThrowsWhatItDoes() throws Exception {
        skein.blockOn(() -> {
            assertThat(Coroutine.<String>endedBy(() -> {}, () -> "value")).isEqualTo("value");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> Coroutine.<String>endedBy(() -> {}, () -> {
                        throw new IOException("its own");
                    }))
                    .withMessage("its own");
        });
    }

    @Test
    void aCancelledCoroutineEndsItsCallByTheActionAndIsCancelled() throws Exception {
        Query query = new Query();
        Coroutine<String> coroutine = skein.spawn(() -> Coroutine.endedBy(query::cancel, query::run));
        query.begun.await();

        coroutine.cancel(true);
        Await.until("it has ended", coroutine::isDone);

        assertThat(coroutine.isCancelled()).isTrue();
        assertThat(query.cancels).hasPositiveValue();
        assertThat(query.interrupt).hasNullValue();
    }

    @Test
    void aLimitEndsTheCallByTheActionAndIsATimeout() throws Exception {
        Query query = new Query();
        skein.blockOn(() -> assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(
                        () -> Time.timeout(Duration.ofMillis(5), () -> Coroutine.endedBy(query::cancel, query::run)))
                .havingRootCause()
                .satisfies(e -> assertThat(e.getSuppressed())
                        .anySatisfy(failure -> assertThat(failure).hasMessage("the query was cancelled"))));

        assertThat(query.interrupt).hasNullValue();
    }

    @Test
    void anActionThatComesTooEarlyIsCalledAgain() throws Exception {
        Query query = new Query();
        AtomicInteger calls = new AtomicInteger();
        Coroutine<String> coroutine = skein.spawn(() -> Coroutine.endedBy(
                () -> {
                    if (calls.incrementAndGet() == 3) {
                        query.cancel();
                    }
                },
                query::run));
        query.begun.await();

        coroutine.cancel(true);
        Await.until("it has ended", coroutine::isDone);

        assertThat(calls).hasValue(3);
        assertThat(coroutine.isCancelled()).isTrue();
    }

    @Test
    void anActionThatFailsLeavesTheCallToAnInterrupt() throws Exception {
        Query query = new Query();
        Coroutine<String> coroutine = skein.spawn(() -> Coroutine.endedBy(
                () -> {
                    throw new IOException("no connection to cancel by");
                },
                query::run));
        query.begun.await();

        coroutine.cancel(true);
        Await.until("it has ended", coroutine::isDone);

        assertThat(query.interrupt.get()).isNotNull();
    }

    @Test
    void aValueInSpiteOfTheActionIsReturnedWithTheStatusSet() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Coroutine<String> coroutine = skein.spawn(() -> {
            String value = Coroutine.endedBy(end::countDown, () -> {
                begun.countDown();
                end.await();
                return "a value";
            });
            return value + ", interrupted: " + Thread.currentThread().isInterrupted();
        });
        begun.await();

        coroutine.cancel(true);

        assertThat(coroutine.join()).isEqualTo("a value, interrupted: true");
    }

    @Test
    void aCallerThatIsNoCoroutineIsTold() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Coroutine.<String>endedBy(() -> {}, () -> "value"));
    }

    @Test
    void aCallerThatIsInterruptedAlreadyDoesNotBegin() {
        AtomicInteger begun = new AtomicInteger();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> {
                    Thread.currentThread().interrupt();
                    Coroutine.endedBy(() -> {}, begun::incrementAndGet);
                }))
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(begun).hasValue(0);
    }
}
