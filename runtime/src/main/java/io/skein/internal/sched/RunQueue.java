package io.skein.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * The runnable coroutines of one worker, first in, first out.
 *
 * <p>Only the worker's own thread uses it. It grows and does not shrink, so that in the steady state a coroutine is
 * queued without allocation.
 */
final class RunQueue {
    private @Nullable Runnable[] slots;
    private int head;
    private int tail;

    /**
     * An empty queue.
     *
     * @param capacity how many it holds before it grows; a power of two
     */
    RunQueue(int capacity) {
        slots = new Runnable[capacity];
    }

    void push(Runnable runnable) {
        if (tail - head == slots.length) {
            grow();
        }
        slots[tail++ & slots.length - 1] = runnable;
    }

    @Nullable
    Runnable poll() {
        if (head == tail) {
            return null;
        }
        int slot = head++ & slots.length - 1;
        Runnable runnable = slots[slot];
        slots[slot] = null;
        return runnable;
    }

    boolean isEmpty() {
        return head == tail;
    }

    private void grow() {
        @Nullable Runnable[] larger = new Runnable[slots.length * 2];
        for (int i = head; i != tail; i++) {
            larger[i & larger.length - 1] = slots[i & slots.length - 1];
        }
        slots = larger;
    }
}
