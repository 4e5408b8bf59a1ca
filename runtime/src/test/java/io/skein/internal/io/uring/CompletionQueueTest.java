package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CompletionQueueTest {
    @Test
    void aCompletionWhoseConsumerFailsIsReadOnceAndTheOthersAreReadAfterIt() throws IOException {
        try (Ring ring = Ring.open(4, 8)) {
            for (int number = 1; number <= 3; number++) {
                Objects.requireNonNull(ring.submissions().next())
                        .opcode(Abi.IORING_OP_NOP)
                        .write(number);
            }
            assertThat(ring.enter(3, Long.MAX_VALUE)).isEqualTo(3);
            List<Long> read = new ArrayList<>();
            assertThatIllegalStateException()
                    .isThrownBy(() -> ring.completions().drain((userData, _, _) -> {
                        read.add(userData);
                        if (userData == 2) {
                            throw new IllegalStateException("on purpose");
                        }
                    }));
            assertThat(ring.completions().drain((userData, _, _) -> read.add(userData)))
                    .isEqualTo(1);
            assertThat(read).containsExactly(1L, 2L, 3L);
        }
    }
}
