package io.skein;

import io.skein.time.NativeFrame;
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

    /** Runs an action where the caller cannot give way. */
    public abstract void run(Action action) throws Exception;

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
