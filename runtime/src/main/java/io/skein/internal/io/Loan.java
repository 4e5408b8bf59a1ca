package io.skein.internal.io;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A direct buffer that is lent with what has arrived in it. It is given back once, by any thread, and lent again: who keeps it
 * reads and writes what is not theirs.
 */
public abstract class Loan {
    private final ByteBuffer bytes;
    private final long base;

    /** Of a buffer that starts at index 0. */
    protected Loan(ByteBuffer bytes) {
        this.bytes = bytes;
        this.base = MemorySegment.ofBuffer(bytes).address();
    }

    public final ByteBuffer bytes() {
        return bytes;
    }

    /** The address of the buffer's index 0. */
    public final long base() {
        return base;
    }

    /** As new, whoever had it before. */
    public final void reset() {
        bytes.clear().order(ByteOrder.BIG_ENDIAN);
    }

    public abstract void giveBack();
}
