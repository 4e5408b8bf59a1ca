package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How deep a coroutine may go is a choice of whoever builds the runtime. */
@Mode.Each
class StackSizeTest extends ModeTest {
    private static final long SMALL = 256 << 10;
    private static final long LARGE = 256 << 20;

    StackSizeTest(Mode mode) {
        super(mode);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, (64 << 10) - 1, Long.MAX_VALUE})
    void aStackThatCannotBeIsRefused(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mode.builder().stackSize(bytes))
                .withMessageContaining(Long.toString(bytes));
    }

    @Test
    void aLargeStackHoldsALongChainOfTasks() throws Exception {
        try (Skein roomy = mode.builder().stackSize(LARGE).start()) {
            assertThat(roomy.blockOn(chain(100_000))).isEqualTo(100_000);
        }
    }

    @Test
    void aSmallStackOverflowsAndTheRuntimeGoesOn() throws Exception {
        try (Skein tight = mode.builder().stackSize(SMALL).start()) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> tight.blockOn(chain(100_000)))
                    .havingRootCause()
                    .isInstanceOf(StackOverflowError.class);

            assertThat(tight.blockOn(chain(10))).isEqualTo(10);
        }
    }

    @Test
    void theSmallestStackRunsACoroutine() throws Exception {
        try (Skein tiny = mode.builder().stackSize(64 << 10).start()) {
            assertThat(tiny.blockOn(() -> "alive")).isEqualTo("alive");
        }
    }

    private static Task<Integer> chain(int depth) {
        Task<Integer> chain = Task.of(() -> 0);
        for (int i = 0; i < depth; i++) {
            Task<Integer> next = chain;
            chain = Task.of(() -> next.call() + 1);
        }
        return chain;
    }
}
