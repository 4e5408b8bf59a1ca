package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failure that crosses from one coroutine to another keeps the original, and shows every place it was awaited at. */
@Mode.Each
class FailureAcrossCoroutinesTest extends ModeTest {
    private final IOException original = new IOException("thread snapped");

    FailureAcrossCoroutinesTest(Mode mode) {
        super(mode);
    }

    /** Some coroutines here fail before their joiner comes, so the handler may hear of them too. */
    @BeforeEach
    void expectFailures() {
        expectUnheardFailures();
    }

    private Object snap() throws IOException {
        throw original;
    }

    private Object joinBelow() throws InterruptedException {
        return Skein.current().spawn("below", this::snap).join();
    }

    private Object joinMiddle() throws InterruptedException {
        return Skein.current().spawn("middle", this::joinBelow).join();
    }

    private Object joinTop() throws InterruptedException {
        return Skein.current().spawn("top", this::joinMiddle).join();
    }

    @Test
    void theOriginalIsTheInnermostCauseAndEveryJoinIsShown() throws Exception {
        skein.blockOn(() -> {
            Throwable top = catchThrowable(this::joinTop);
            Throwable middle = Objects.requireNonNull(top.getCause());
            Throwable below = Objects.requireNonNull(middle.getCause());

            assertThat(StackTraces.methodsOf(top)).contains("joinTop");
            assertThat(StackTraces.methodsOf(middle)).contains("joinMiddle");
            assertThat(StackTraces.methodsOf(below)).contains("joinBelow");
            assertThat(below.getCause()).isSameAs(original);
        });
    }

    @Test
    void theMessagesNameTheCoroutines() throws Exception {
        skein.blockOn(() -> {
            Throwable top = catchThrowable(this::joinTop);

            assertThat(top).hasMessageContaining("top").hasMessageContaining(original.toString());
            assertThat(top.getCause()).hasMessageContaining("middle");
        });
    }

    private Object awaitBelow() throws InterruptedException {
        return Task.of("below", this::snap).await();
    }

    private Object awaitMiddle() throws InterruptedException {
        return Task.of("middle", this::awaitBelow).await();
    }

    @Test
    void aFailureThroughTasksShowsEveryAwait() throws Exception {
        skein.blockOn(() -> {
            Throwable middle = catchThrowable(this::awaitMiddle);

            assertThat(middle).isInstanceOf(CompletionException.class);
            assertThat(StackTraces.methodsOf(middle)).contains("awaitMiddle");
            assertThat(StackTraces.rootCauseOf(middle)).isSameAs(original);
            assertThat(middle).hasMessageContaining("middle").hasMessageContaining(original.toString());
        });
    }

    private Object forkBelow() throws InterruptedException {
        try (Scope<Object, ?> scope = Scope.open()) {
            Coroutine<Object> child = scope.fork("below", this::snap);
            scope.join();
            return child.join();
        }
    }

    private List<Object> whenAllAbove() throws InterruptedException {
        return Tasks.whenAll(this::forkBelow, () -> "fine");
    }

    @Test
    void aFailureThroughScopesAndCombinatorsShowsEveryJoin() throws Exception {
        skein.blockOn(() -> {
            Throwable above = catchThrowable(this::whenAllAbove);
            Throwable below = Objects.requireNonNull(above.getCause());

            assertThat(StackTraces.methodsOf(above)).contains("whenAllAbove");
            assertThat(StackTraces.methodsOf(below)).contains("forkBelow");
            assertThat(StackTraces.rootCauseOf(above)).isSameAs(original);
        });
    }

    @Test
    void theOriginalIsNotChangedByThoseWhoHearOfIt() throws Exception {
        StackTraceElement[] before = original.getStackTrace();
        skein.blockOn(() -> {
            for (int i = 0; i < 10; i++) {
                assertThat(catchThrowable(this::joinTop)).isNotNull();
                assertThat(catchThrowable(this::awaitMiddle)).isNotNull();
                assertThat(catchThrowable(this::forkBelow)).isNotNull();
            }
        });

        assertThat(original.getStackTrace()).isEqualTo(before);
        assertThat(original.getSuppressed()).isEmpty();
        assertThat(original.getCause()).isNull();
    }

    @Test
    void anExceptionThatSeveralChildrenThrowIsNotSuppressedInItself() throws Exception {
        RuntimeException shared = new IllegalStateException("thrown twice");
        skein.blockOn(() -> {
            Throwable thrown = catchThrowable(() -> Tasks.whenAll(
                    () -> {
                        throw shared;
                    },
                    () -> {
                        throw shared;
                    }));

            assertThat(thrown).isInstanceOf(CompletionException.class).hasCause(shared);
        });
    }
}
