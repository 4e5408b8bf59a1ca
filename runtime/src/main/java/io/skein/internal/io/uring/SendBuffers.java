package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;

/**
 * Buffers in which small writes wait for their driver to send them.
 *
 * <p>Only the driver's own thread uses it. There are {@value #COUNT} and no more: who finds none waits with its own. The one
 * given back last is taken first, so that a few of them stay in the cache.
 */
final class SendBuffers {
    /** The size of each buffer. A larger write waits: copying it would cost more than the wait. */
    static final int SIZE = 4 * 1024;

    /** How far apart they are: not at a power of two, where their first bytes would share a few sets of the cache. */
    private static final int STRIDE = SIZE + 64;

    static final int COUNT = 512;

    /** What {@link #take} answers when none is left. */
    static final long NONE = 0;

    private final long[] idle = new long[COUNT];
    private long memory;
    private int count;

    /** The address of a buffer of {@link #SIZE} bytes, or {@link #NONE}. */
    long take() {
        if (memory == 0) {
            allocate();
        }
        return count == 0 ? NONE : idle[--count];
    }

    private void allocate() {
        memory = Libc.allocate((long) COUNT * STRIDE);
        for (int i = COUNT - 1; i >= 0; i--) {
            giveBack(memory + (long) i * STRIDE);
        }
    }

    /** Takes a buffer back, by the address of any byte in it: who has sent a part may know only where the rest is. */
    void giveBack(long address) {
        int past = (int) (address - memory) % STRIDE;
        idle[count++] = address - past;
    }

    /** How many are in use. */
    int lent() {
        return memory == 0 ? 0 : COUNT - count;
    }

    /** Gives the memory back; the ring is closed by then. */
    void free() {
        if (memory != 0) {
            Libc.free(memory);
        }
    }
}
