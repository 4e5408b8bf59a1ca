package io.skein;

/** How a runtime's workers share their coroutines. */
public enum Scheduling {
    /**
     * A worker that has nothing to do takes coroutines from the others. A coroutine may go on on another worker each
     * time it is resumed.
     */
    STEALING,

    /**
     * A coroutine stays on the worker that its {@link Dispatch} chose, and so does its I/O: everything it touches stays
     * in that core's cache, and nothing evens out a bad choice.
     */
    PINNED
}
