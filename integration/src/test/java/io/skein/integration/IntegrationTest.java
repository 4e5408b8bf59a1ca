package io.skein.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.DriverKind;
import io.skein.Skein;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A runtime around each test, with each driver. */
abstract class IntegrationTest {
    /** Runs the tests of a class with each driver. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @EnumSource(
            value = DriverKind.class,
            names = {"URING", "NIO"})
    @interface EachDriver {}

    /** The runtime's, by which libraries find it. */
    static final String NAME = "integration";

    static final Duration LONG = Duration.ofSeconds(30);

    final Queue<Throwable> unheardFailures = new ConcurrentLinkedQueue<>();
    final DriverKind driver;
    Skein skein;

    IntegrationTest(DriverKind driver) {
        this.driver = driver;
    }

    @BeforeEach
    void startRuntime() {
        try {
            skein = Skein.builder()
                    .driver(driver)
                    .name(NAME)
                    .workers(2)
                    .watchdog(Duration.ZERO)
                    .failureHandler((_, failure) -> unheardFailures.add(failure))
                    .start();
        } catch (IllegalStateException e) {
            assumeTrue(false, () -> "no " + driver + " here: " + e.getMessage());
        }
    }

    @AfterEach
    void closeRuntime() throws InterruptedException {
        if (skein == null) {
            return;
        }
        boolean closed = skein.close(LONG);
        if (!closed) {
            skein.shutdownNow(LONG);
        }
        assertThat(closed).as("no coroutine is stuck").isTrue();
        assertThat(unheardFailures).as("failures that nobody was waiting for").isEmpty();
    }
}
