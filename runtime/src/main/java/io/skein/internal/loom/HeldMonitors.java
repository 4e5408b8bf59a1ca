package io.skein.internal.loom;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the monitors of a consumer out of the continuation that it runs. A thread calls it for itself.
 *
 * <p>The JVM notes monitors that nobody contends for on a short stack of the thread. When a continuation is suspended, it
 * moves all of that stack into the continuation, for it thinks that everything there is the continuation's. Inside
 * {@code synchronized}, a consumer would come back from {@code next()} without its monitor, and the body would later
 * take it for its own. Monitors that have been inflated are noted elsewhere, under the thread's number, and stay. When
 * the stack is full, the JVM inflates the oldest. So whoever enters as many other monitors as the stack has room for
 * has none of the older ones left on it.
 */
final class HeldMonitors {
    /** As many as the JVM's stack has room for. */
    private static final int ROOM = 8;

    /** Where the other monitors are seen by everybody, or the JIT would leave them out. */
    @SuppressWarnings("UnusedVariable") // to be seen is all that it is for
    private static volatile Object @Nullable [] shown;

    private HeldMonitors() {}

    /** Makes sure that no monitor of the caller is on the JVM's stack. */
    static void settle() {
        if (!LockStack.surelyEmpty()) {
            Object[] others = new Object[ROOM]; // new ones each time: they must not be inflated
            for (int i = 0; i < ROOM; i++) {
                others[i] = new Object();
            }
            shown = others;
            enter(others, 0);
            shown = null;
        }
    }

    private static void enter(Object[] monitors, int from) {
        if (from < monitors.length) {
            synchronized (monitors[from]) {
                enter(monitors, from + 1);
            }
        }
    }

    /** Whether the caller is seen to hold a monitor that it has entered since {@link #settle}. */
    static boolean seen() {
        return LockStack.surelyInUse();
    }
}
