package io.skein.bench.coroutine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Callable;

/**
 * The JDK's {@code StructuredTaskScope}, by method handles that the JIT compiler sees through: it is a preview in
 * JDK 25, and javac would let us name it only if all of this module were one too. For one thread.
 */
final class JdkScope implements AutoCloseable {
    private static final MethodHandle OPEN;
    private static final MethodHandle FORK;
    private static final MethodHandle JOIN;
    private static final MethodHandle VALUE;
    private static final MethodHandle CLOSE;

    static {
        try {
            Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
            Class<?> subtask = Class.forName("java.util.concurrent.StructuredTaskScope$Subtask");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OPEN = lookup.findStatic(type, "open", MethodType.methodType(type))
                    .asType(MethodType.methodType(Object.class));
            FORK = lookup.findVirtual(type, "fork", MethodType.methodType(subtask, Callable.class))
                    .asType(MethodType.methodType(Object.class, Object.class, Callable.class));
            JOIN = lookup.findVirtual(type, "join", MethodType.methodType(Object.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            VALUE = lookup.findVirtual(subtask, "get", MethodType.methodType(Object.class))
                    .asType(MethodType.methodType(Object.class, Object.class));
            CLOSE = lookup.findVirtual(type, "close", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object scope;

    private JdkScope(Object scope) {
        this.scope = scope;
    }

    static JdkScope open() {
        try {
            return new JdkScope((Object) OPEN.invokeExact());
        } catch (Throwable e) {
            throw failed("open", e);
        }
    }

    /** Returns the subtask. */
    Object fork(Callable<?> body) {
        try {
            return (Object) FORK.invokeExact(scope, body);
        } catch (Throwable e) {
            throw failed("fork", e);
        }
    }

    void join() {
        try {
            JOIN.invokeExact(scope);
        } catch (Throwable e) {
            throw failed("join", e);
        }
    }

    static Object value(Object subtask) {
        try {
            return (Object) VALUE.invokeExact(subtask);
        } catch (Throwable e) {
            throw failed("get", e);
        }
    }

    @Override
    public void close() {
        try {
            CLOSE.invokeExact(scope);
        } catch (Throwable e) {
            throw failed("close", e);
        }
    }

    private static AssertionError failed(String what, Throwable cause) {
        return new AssertionError("StructuredTaskScope." + what + " failed", cause);
    }
}
