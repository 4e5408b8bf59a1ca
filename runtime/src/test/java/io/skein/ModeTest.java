package io.skein;

import org.junit.jupiter.api.BeforeEach;

/** A runtime around each test, started in a {@link Mode} that an annotation on the test's class chooses. */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public abstract class ModeTest extends RuntimeTest {
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
    protected SkeinBuilder adjust(SkeinBuilder builder) {
        return builder;
    }
}
