package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.time.NativeFrame;
import java.time.Duration;
import java.util.Arrays;

/** What keeps a virtual thread from giving way while it waits. */
public enum PinnedBy {
    NATIVE_FRAME {
        @Override
        public void run(Action action) throws Exception {
            NativeFrame.run(action);
        }
    },
    CLASS_INITIALISER {
        @Override
        public void run(Action action) throws Exception {
            UntouchedClass.with(action).touch();
        }
    };

    /** Half of the time from one look of the watchdog to the next, at which it ends the wait of who is pinned. */
    private static final Duration RESCUE = Duration.ofMillis(50);

    /** Runs an action where the caller cannot give way. */
    public abstract void run(Action action) throws Exception;

    /** Fails if the watchdog ended these waits. A busy machine may delay most of them as much, but the watchdog delays all. */
    public static void assertNotRescued(long[] nanos) {
        Arrays.sort(nanos);
        assertThat(Duration.ofNanos(nanos[nanos.length / 4])).isLessThan(RESCUE);
    }

    /** Returns once a pinned coroutine waits: parked, or in its worker's driver in place of the worker. */
    public static void awaitWait(Coroutine<?> pinned) {
        Thread thread = pinned.thread();
        Await.until(
                thread + " waits",
                () -> {
                    if (!thread.isAlive()) {
                        throw new AssertionError(thread + " has ended and was not seen waiting");
                    }
                    return switch (thread.getState()) {
                        case WAITING, TIMED_WAITING -> true;
                        default ->
                            Arrays.stream(thread.getStackTrace())
                                    .anyMatch(frame -> frame.getMethodName().equals("drive"));
                    };
                },
                thread);
    }
}
