package io.skein.bench.load;

import io.skein.internal.io.uring.Ring;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;

/**
 * A ring of provided buffers for receives with {@code MSG_TRUNC}: the kernel counts the bytes and copies none, so all
 * buffers share one piece of memory. Only the thread of the {@link Ring} uses it. It lies in an arena that outlives the
 * ring, because the kernel reads it for as long as the ring is open.
 */
final class DiscardBuffers {
    static final int GROUP = 0;

    private static final int IORING_REGISTER_PBUF_RING = 22;
    private static final int PAGE = 4096;

    /** {@code struct io_uring_buf}; the tail of the ring lies in the unused end of the first one. */
    private static final int ENTRY_SIZE = 16;

    private static final int ENTRY_LENGTH = 8;
    private static final int ENTRY_ID = 12;
    private static final int TAIL = 14;

    /** {@code struct io_uring_buf_reg}. */
    private static final int REGISTRATION_SIZE = 40;

    private static final int REGISTRATION_ENTRIES = 8;
    private static final int REGISTRATION_GROUP = 12;

    private final long address;
    private final long sink;
    private final int bufferSize;
    private final int mask;
    private short tail;

    /** @param entries a power of two, at most 32768 */
    DiscardBuffers(Ring ring, Arena memory, int bufferSize, int entries) throws IOException {
        this.bufferSize = bufferSize;
        mask = entries - 1;
        address = memory.allocate((long) ENTRY_SIZE * entries, PAGE).address();
        sink = memory.allocate(bufferSize).address();
        long registration = memory.allocate(REGISTRATION_SIZE, Long.BYTES).address();
        Memory.plainLong(registration, address);
        Memory.plainInt(registration + REGISTRATION_ENTRIES, entries);
        Memory.plainShort(registration + REGISTRATION_GROUP, (short) GROUP);
        int result = ring.register(IORING_REGISTER_PBUF_RING, registration, 1);
        if (result < 0) {
            throw new IOException("io_uring buffer ring: " + Errno.describe(-result));
        }
        for (int id = 0; id < entries; id++) {
            recycle(id);
        }
    }

    /** Gives a buffer back to the kernel. */
    void recycle(int id) {
        long entry = address + (long) (tail & mask) * ENTRY_SIZE;
        Memory.plainLong(entry, sink);
        Memory.plainInt(entry + ENTRY_LENGTH, bufferSize);
        Memory.plainShort(entry + ENTRY_ID, (short) id);
        tail++;
        VarHandle.releaseFence(); // the kernel must see the entry before the tail that covers it
        Memory.plainShort(address + TAIL, tail);
    }
}
