package io.skein.net;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The JVM's count of the bytes that one platform thread has allocated. It is reached by reflection because the module
 * under test does not, and need not, require {@code jdk.management}.
 */
final class AllocationCounter {
    private static final MethodHandle ALLOCATED_BYTES = find();

    private final Thread thread;

    private AllocationCounter(Thread thread) {
        this.thread = thread;
    }

    /** Counts for the only thread that is a worker of the runtime called {@code prefix}. */
    static AllocationCounter ofThreadNamed(String prefix) {
        return new AllocationCounter(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix + "-worker-"))
                .reduce((_, _) -> {
                    throw new IllegalStateException("several workers are named " + prefix);
                })
                .orElseThrow());
    }

    /** The bytes that the thread, and the coroutines it ran, have allocated since it started. */
    long bytes() {
        try {
            return (long) ALLOCATED_BYTES.invoke(thread.threadId());
        } catch (Throwable e) {
            throw new IllegalStateException("the JVM does not count allocations", e);
        }
    }

    private static MethodHandle find() {
        try {
            Object threads = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(
                            Class.forName("com.sun.management.ThreadMXBean"),
                            "getThreadAllocatedBytes",
                            MethodType.methodType(long.class, long.class))
                    .bindTo(threads);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the JVM does not count allocations", e);
        }
    }
}
