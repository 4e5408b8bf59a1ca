package io.skein.process;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What {@link AllocationSites} puts before each allocation of the runtime. While it is armed it counts those that workers make on
 * their own threads, or those of coroutines too, and fails some of them. Public, since classes of every package call it.
 */
public final class AllocationHook {
    private static final AtomicInteger REACHED = new AtomicInteger();

    private static volatile boolean armed;
    private static volatile boolean coroutines;
    private static volatile int from;
    private static volatile int to;
    private static volatile @Nullable List<StackTraceElement> failedAt;

    private AllocationHook() {}

    /**
     * Fails the allocations with the numbers {@code first} to {@code first + failures - 1}, counted from now.
     *
     * @param withCoroutines whether those of coroutines count, too
     */
    static void arm(int first, int failures, boolean withCoroutines) {
        coroutines = withCoroutines;
        from = first;
        to = first + failures;
        failedAt = null;
        REACHED.set(0);
        armed = true;
    }

    static void disarm() {
        armed = false;
    }

    /** How many allocations were reached since it was armed. */
    static int reached() {
        return REACHED.get();
    }

    /** Where the first failure was since it was armed, innermost first; null if there was none. */
    static @Nullable List<StackTraceElement> failedAt() {
        return failedAt;
    }

    /** Called by the runtime's classes. */
    public static void mayFail() {
        if (!armed) {
            return;
        }
        Thread caller = Thread.currentThread();
        if (caller.isVirtual() ? !coroutines : !caller.getName().contains("-worker-")) {
            return;
        }
        int number = REACHED.getAndIncrement();
        if (number >= from && number < to) {
            OutOfMemoryError error = new OutOfMemoryError("injected at allocation " + number);
            if (failedAt == null) {
                List<StackTraceElement> stack = List.of(error.getStackTrace());
                failedAt = stack.subList(1, stack.size());
            }
            throw error;
        }
    }
}
