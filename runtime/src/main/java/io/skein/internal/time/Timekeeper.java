package io.skein.internal.time;

/** A thread that carries others and keeps their timers. Only threads that it carries call it. */
public interface Timekeeper {
    /** The thread that it is. */
    Thread thread();

    TimerWheel wheel();

    /** A number that is another whenever it has begun to run somebody. */
    long runs();

    /** What somebody waits for. */
    interface Wait {
        boolean isWaiting();

        /** Looks whether there is something to do about it, as the one who waits does after each park. */
        default void look() {}
    }

    /**
     * Parks the caller once more. To be called by one whose park has ended though its wait has not.
     *
     * @return false at once if it cannot give way, because it is pinned or finds no memory; then it is to {@link #standIn}
     * @throws OutOfMemoryError if the caller finds no memory to give way, and has for too long
     */
    boolean giveWay();

    /**
     * Does this thread's work in place of it, until the wait is over or the caller is interrupted, or until it is time to try again to give
     * way. For one that cannot: nothing that it may wait for is held up by it.
     */
    void standIn(Wait wait);
}
