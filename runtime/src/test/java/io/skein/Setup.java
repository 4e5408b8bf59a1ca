package io.skein;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.internal.loom.Loom;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A driver, a number of workers and a size of ring: one way to start a runtime. Contract tests run once with each of
 * them.
 *
 * @param ringEntries submission queue entries per worker, {@link #DEFAULT_RING} for what the runtime chooses
 */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public record Setup(DriverKind driver, int workers, int ringEntries) {
    /** Runs the tests of a class in every setup. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Setup#all")
    public @interface Each {}

    /** Runs the tests of a class once per driver: for what takes seconds, or has nothing to do with rings. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Setup#onePerDriver")
    public @interface OnePerDriver {}

    /** Runs the tests of a class with one worker: whoever blocks it hangs everybody. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Setup#oneWorker")
    public @interface OneWorker {}

    private static final int DEFAULT_RING = 0;

    /** The smallest ring there is: two operations in one loop turn fill it. */
    private static final int TINY_RING = 2;

    /**
     * Without the flags there are fewer: there a worker only drives, and coroutines run elsewhere. Without what newer kernels have
     * there is one driver to look at.
     */
    public static Stream<Setup> all() {
        if (isOldKernel()) {
            return Stream.of(new Setup(DriverKind.URING, 1, TINY_RING), new Setup(DriverKind.URING, 3, DEFAULT_RING));
        }
        if (!Loom.available()) {
            return Stream.of(
                    new Setup(DriverKind.URING, 1, TINY_RING),
                    new Setup(DriverKind.URING, 3, DEFAULT_RING),
                    new Setup(DriverKind.NIO, 3, DEFAULT_RING));
        }
        return Stream.of(
                new Setup(DriverKind.URING, 1, DEFAULT_RING),
                new Setup(DriverKind.URING, 3, DEFAULT_RING),
                new Setup(DriverKind.URING, 1, TINY_RING),
                new Setup(DriverKind.URING, 3, TINY_RING),
                new Setup(DriverKind.NIO, 1, DEFAULT_RING),
                new Setup(DriverKind.NIO, 3, DEFAULT_RING));
    }

    /** Whether this run does without what newer kernels have, to see whether that suffices. */
    static boolean isOldKernel() {
        return System.getProperty("skein.uring.without") != null;
    }

    public static Stream<Setup> onePerDriver() {
        Setup uring = new Setup(DriverKind.URING, 3, DEFAULT_RING);
        return isOldKernel() ? Stream.of(uring) : Stream.of(uring, new Setup(DriverKind.NIO, 3, DEFAULT_RING));
    }

    public static Stream<Setup> oneWorker() {
        return all().filter(setup -> setup.workers() == 1);
    }

    /** A builder of this setup; ends the test as skipped, with the reason, where the kernel has no ring to give. */
    public SkeinBuilder builder() {
        if (driver == DriverKind.URING) {
            Optional<String> refusal = KernelRing.refusal();
            assumeTrue(refusal.isEmpty(), () -> "no io_uring here: " + refusal.orElseThrow());
        }
        SkeinBuilder builder = Skein.builder().driver(driver).workers(workers);
        return ringEntries == DEFAULT_RING ? builder : builder.ringEntries(ringEntries);
    }

    @Override
    public String toString() {
        String ring = ringEntries == DEFAULT_RING ? "" : " ring of " + ringEntries;
        return driver + " " + workers + (workers == 1 ? " worker" : " workers") + ring;
    }
}
