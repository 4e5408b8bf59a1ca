package io.skein.internal.time;

/** A thread that carries others and keeps their timers. Only threads that it carries call it. */
public interface Timekeeper {
    /** The thread that it is. */
    Thread thread();

    TimerWheel wheel();

    /** A number that is another whenever it has begun to run somebody. */
    long runs();
}
