package io.skein;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.internal.loom.Loom;
import org.junit.jupiter.api.BeforeEach;

/** A runtime around each test, started in a {@link DriverMode} that an annotation on the test's class chooses. */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public abstract class DriverModeTest extends RuntimeTest {
    protected final DriverMode mode;

    protected DriverModeTest(DriverMode mode) {
        super(mode.setup());
        this.mode = mode;
    }

    @BeforeEach
    @Override
    public void startRuntime() {
        assumeTrue(Loom.available(), "the JDK's scheduler does not know how to stand in");
        skein = setup.builder()
                .scheduling(mode.scheduling())
                .name("skein-test")
                .failureHandler((_, failure) -> unheardFailures.add(failure))
                .start();
    }
}
