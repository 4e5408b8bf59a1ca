package io.skein.sched;

import io.skein.DriverKind;
import io.skein.Scheduling;
import io.skein.Setup;
import io.skein.Skein;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A kind of scheduling and a number of workers, on whatever driver the machine has. */
record Mode(Scheduling scheduling, int workers) {
    /** Runs the tests of a class in every mode. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.sched.Mode#all")
    @interface Each {}

    /** Runs the tests of a class in both kinds of scheduling with one worker: whoever blocks it hangs everybody. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.sched.Mode#oneWorker")
    @interface OneWorker {}

    /** Runs the tests of a class in both kinds of scheduling with three workers. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.sched.Mode#severalWorkers")
    @interface SeveralWorkers {}

    static Stream<Mode> all() {
        return Stream.concat(oneWorker(), severalWorkers());
    }

    static Stream<Mode> oneWorker() {
        return Stream.of(new Mode(Scheduling.STEALING, 1), new Mode(Scheduling.PINNED, 1));
    }

    static Stream<Mode> severalWorkers() {
        return Stream.of(new Mode(Scheduling.STEALING, 3), new Mode(Scheduling.PINNED, 3));
    }

    Setup setup() {
        return new Setup(DriverKind.AUTO, workers, 0);
    }

    /** A builder of this mode, with a watchdog that never barks: what these tests do may take long. */
    Skein.Builder builder() {
        return setup().builder().scheduling(scheduling).name("skein-test").watchdog(Duration.ZERO);
    }

    @Override
    public String toString() {
        return scheduling + " " + workers + (workers == 1 ? " worker" : " workers");
    }
}
