package io.skein.internal.time;

/** A thread that carries others and keeps their timers. Only threads that it carries call it. */
public interface Timekeeper {
    /** The thread that it is. */
    Thread thread();

    TimerWheel wheel();

    /** A number that is another whenever it has begun to run somebody. */
    long runs();

    /**
     * To be called by one whose park has ended early.
     *
     * @throws OutOfMemoryError if the caller holds this thread because it finds no memory to give way, and has for too long
     */
    void checkNotStarved();
}
