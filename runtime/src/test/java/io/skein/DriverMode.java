package io.skein;

import io.skein.internal.loom.Loom;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A driver, a kind of scheduling and a number of workers. */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public record DriverMode(DriverKind driver, Scheduling scheduling, int workers) {
    /** Runs the tests of a class on each driver, in both kinds of scheduling, with one worker and with two. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.DriverMode#all")
    public @interface Each {}

    /** Runs the tests of a class on each driver, with two workers that steal from each other. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.DriverMode#twoThatSteal")
    public @interface TwoThatSteal {}

    /** Without the flags the kinds of scheduling do not differ, nor do numbers of workers: these only drive. */
    public static Stream<DriverMode> all() {
        if (!Loom.available()) {
            return twoThatSteal();
        }
        List<DriverMode> modes = new ArrayList<>();
        for (DriverKind driver : drivers()) {
            for (Scheduling scheduling : Scheduling.values()) {
                modes.add(new DriverMode(driver, scheduling, 1));
                modes.add(new DriverMode(driver, scheduling, 2));
            }
        }
        return modes.stream();
    }

    public static Stream<DriverMode> twoThatSteal() {
        return drivers().stream().map(driver -> new DriverMode(driver, Scheduling.STEALING, 2));
    }

    private static List<DriverKind> drivers() {
        return Setup.onePerDriver().map(Setup::driver).toList();
    }

    public Setup setup() {
        return new Setup(driver, workers, 0);
    }

    @Override
    public String toString() {
        return driver + " " + scheduling + " " + workers + (workers == 1 ? " worker" : " workers");
    }
}
