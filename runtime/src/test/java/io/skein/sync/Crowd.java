package io.skein.sync;

import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.ThreadKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What kind of threads send and receive in a test, and how many workers run them if they are coroutines. */
record Crowd(ThreadKind kind, int workers) {
    /** Runs the tests of a class with every crowd. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.sync.Crowd#all")
    @interface Each {}

    static Stream<Crowd> all() {
        return Stream.of(
                new Crowd(ThreadKind.COROUTINE, 1),
                new Crowd(ThreadKind.COROUTINE, 3),
                new Crowd(ThreadKind.PLATFORM, 1),
                new Crowd(ThreadKind.VIRTUAL, 1));
    }

    Mode mode() {
        return new Mode(Scheduling.STEALING, workers);
    }

    @Override
    public String toString() {
        return kind == ThreadKind.COROUTINE ? "coroutines on " + workers : kind + " threads";
    }
}
