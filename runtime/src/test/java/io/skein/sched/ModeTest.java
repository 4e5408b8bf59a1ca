package io.skein.sched;

import io.skein.RuntimeTest;
import io.skein.Skein;
import org.junit.jupiter.api.BeforeEach;

/** A runtime around each test, started in a {@link Mode} that an annotation on the test's class chooses. */
abstract class ModeTest extends RuntimeTest {
    protected final Mode mode;

    protected ModeTest(Mode mode) {
        super(mode.setup());
        this.mode = mode;
    }

    @BeforeEach
    @Override
    public void startRuntime() {
        skein = adjust(mode.builder())
                .failureHandler((_, failure) -> unheardFailures.add(failure))
                .start();
    }

    /** Where a test wants something other than the mode's defaults. */
    protected Skein.Builder adjust(Skein.Builder builder) {
        return builder;
    }
}
