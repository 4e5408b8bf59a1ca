package io.skein;

import io.skein.internal.loom.Loom;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A kind of scheduling and a number of workers, on whatever driver the machine has. */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public record Mode(Scheduling scheduling, int workers) {
    /** Runs the tests of a class in every mode. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Mode#all")
    public @interface Each {}

    /** Runs the tests of a class in both kinds of scheduling with one worker: whoever blocks it hangs everybody. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Mode#oneWorker")
    public @interface OneWorker {}

    /** Runs the tests of a class in both kinds of scheduling with three workers. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Mode#severalWorkers")
    public @interface SeveralWorkers {}

    /** Runs the tests of a class in both kinds of scheduling with one, two and eight workers. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Mode#oneTwoAndEightWorkers")
    public @interface OneTwoAndEightWorkers {}

    /**
     * Without the flags there is one: coroutines run on the JDK's scheduler, whatever is asked for. Without what newer kernels
     * have there is one too: the modes differ in nothing that a kernel sees.
     */
    public static Stream<Mode> all() {
        if (!Loom.available() || Setup.isOldKernel()) {
            return Stream.of(new Mode(Scheduling.STEALING, 3));
        }
        return Stream.concat(oneWorker(), severalWorkers());
    }

    public static Stream<Mode> oneWorker() {
        return Stream.of(new Mode(Scheduling.STEALING, 1), new Mode(Scheduling.PINNED, 1));
    }

    public static Stream<Mode> severalWorkers() {
        return Stream.of(new Mode(Scheduling.STEALING, 3), new Mode(Scheduling.PINNED, 3));
    }

    public static Stream<Mode> oneTwoAndEightWorkers() {
        return Stream.of(1, 2, 8)
                .flatMap(workers -> Stream.of(Scheduling.values()).map(scheduling -> new Mode(scheduling, workers)));
    }

    public Setup setup() {
        return new Setup(DriverKind.AUTO, workers, 0);
    }

    /** A builder of this mode, with a watchdog that never barks: what these tests do may take long. */
    public SkeinBuilder builder() {
        return setup().builder().scheduling(scheduling).name("skein-test").watchdog(Duration.ZERO);
    }

    @Override
    public String toString() {
        return scheduling + " " + workers + (workers == 1 ? " worker" : " workers");
    }
}
