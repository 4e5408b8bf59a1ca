package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the watchdog makes of a stack. */
class HeldByTest {
    /** The innermost frame first; a method that ends in {@code *} is native. */
    private static StackTraceElement[] stack(String... methods) {
        return Arrays.stream(methods)
                .map(method -> {
                    int dot = method.lastIndexOf('.');
                    boolean isNative = method.endsWith("*");
                    String name = method.substring(dot + 1, method.length() - (isNative ? 1 : 0));
                    return new StackTraceElement(method.substring(0, dot), name, "Source.java", isNative ? -2 : 7);
                })
                .toArray(StackTraceElement[]::new);
    }

    @Test
    void whoeverRunsJavaComputes() {
        assertThat(HeldBy.of(Thread.State.RUNNABLE, stack("app.Sums.add", "app.Main.run")))
                .isEqualTo(HeldBy.COMPUTING);
    }

    @Test
    void whoeverLooksAtTheClockComputes() {
        assertThat(HeldBy.of(Thread.State.RUNNABLE, stack("java.lang.System.nanoTime*", "app.Main.run")))
                .isEqualTo(HeldBy.COMPUTING);
    }

    @Test
    void aReadOfAFileIsNativeCodeAndBelongsElsewhere() {
        HeldBy read = HeldBy.of(
                Thread.State.RUNNABLE, stack("java.io.FileInputStream.readBytes*", "java.io.FileInputStream.read"));

        assertThat(read).isEqualTo(HeldBy.NATIVE_CODE);
        assertThat(read.text()).contains("Skein.blocking");
    }

    @Test
    void whoeverLoadsClassesIsNotSentElsewhere() {
        HeldBy loading = HeldBy.of(
                Thread.State.RUNNABLE,
                stack("java.util.zip.Inflater.inflateBytesBytes*", "java.lang.ClassLoader.loadClass", "app.Main.run"));

        assertThat(loading).isEqualTo(HeldBy.CLASS_LOADING);
        assertThat(loading.text()).doesNotContain("Skein.blocking");
    }

    @Test
    void whoeverWaitsIsNotToldToComputeElsewhere() {
        StackTraceElement[] stack = stack("jdk.internal.misc.Unsafe.park*", "app.Main.run");

        assertThat(HeldBy.of(Thread.State.WAITING, stack)).isEqualTo(HeldBy.WAITING);
        assertThat(HeldBy.of(Thread.State.TIMED_WAITING, stack)).isEqualTo(HeldBy.WAITING);
        assertThat(HeldBy.of(Thread.State.BLOCKED, stack)).isEqualTo(HeldBy.WAITING);
        assertThat(HeldBy.WAITING.text()).doesNotContain("Skein.blocking");
    }

    @Test
    void aWaitInAClassInitialiserIsNamed() {
        HeldBy waiting = HeldBy.of(Thread.State.WAITING, stack("jdk.internal.misc.Unsafe.park*", "app.Pool.<clinit>"));

        assertThat(waiting).isEqualTo(HeldBy.CLASS_INITIALISER_THAT_WAITS);
        assertThat(waiting.text()).doesNotContain("Skein.blocking");
    }
}
