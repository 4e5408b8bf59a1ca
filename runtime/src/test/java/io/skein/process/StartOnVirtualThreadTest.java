package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose first runtime is started on a virtual thread of the JDK. */
@Timeout(120)
class StartOnVirtualThreadTest {
    @TempDir
    private Path directory;

    @Test
    void itStarts() throws Exception {
        expectStart();
    }

    /** No other virtual thread of the JDK runs until the runtime has started. */
    @Test
    void inAClassInitialiserThatHoldsTheOnlyCarrierItStartsToo() throws Exception {
        expectStart(StartOnVirtualThread.PINNED);
    }

    private void expectStart(String... arguments) throws Exception {
        try (ChildJvm child = new ChildJvm(directory, ":", StartOnVirtualThread.class, arguments)) {
            assertThat(child.await("started")).isNotEmpty();
        }
    }
}
