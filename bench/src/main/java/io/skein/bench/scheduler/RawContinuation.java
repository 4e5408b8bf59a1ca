package io.skein.bench.scheduler;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The JDK's {@code jdk.internal.vm.Continuation}, by method handles that the JIT compiler sees through: javac would
 * not let us name it. One thread runs it.
 */
final class RawContinuation {
    private static final MethodHandle NEW;
    private static final MethodHandle RUN;
    private static final MethodHandle YIELD;

    static {
        try {
            Class<?> type = Class.forName("jdk.internal.vm.Continuation");
            Class<?> scopeType = Class.forName("jdk.internal.vm.ContinuationScope");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Object scope = lookup.findConstructor(scopeType, MethodType.methodType(void.class, String.class))
                    .invoke("bench");
            NEW = lookup.findConstructor(type, MethodType.methodType(void.class, scopeType, Runnable.class))
                    .bindTo(scope)
                    .asType(MethodType.methodType(Object.class, Runnable.class));
            RUN = lookup.findVirtual(type, "run", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            YIELD = lookup.findStatic(type, "yield", MethodType.methodType(boolean.class, scopeType))
                    .bindTo(scope);
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object continuation;

    RawContinuation(Runnable body) {
        try {
            continuation = (Object) NEW.invokeExact(body);
        } catch (Throwable e) {
            throw new AssertionError("no continuation", e);
        }
    }

    /** Runs the body until it yields or ends. */
    void run() {
        try {
            RUN.invokeExact(continuation);
        } catch (Throwable e) {
            throw new AssertionError("the continuation failed", e);
        }
    }

    /** Suspends the body that calls it. */
    static void suspend() {
        try {
            boolean ignored = (boolean) YIELD.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError("the continuation cannot yield", e);
        }
    }
}
