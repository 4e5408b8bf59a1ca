package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that a ring's receives take from when bytes arrive, so that a connection which waits holds none.
 *
 * <p>Only the ring's own thread uses it. The kernel takes buffers at the head; this side gives them back at the tail,
 * in whatever order they were emptied.
 */
final class BufferRing {
    /** The size of each buffer. */
    static final int BUFFER_SIZE = 16 * 1024;

    static final int GROUP = 0;

    private static final int COUNT = 128;
    private static final int ENTRY_SIZE = 16;
    private static final int ENTRY_LENGTH = 8;
    private static final int ENTRY_ID = 12;

    /** The tail stands in the unused bytes of the first entry. */
    private static final int TAIL = 14;

    private static final int PAGE = 4096;
    private static final int REGISTRATION_SIZE = 40;

    private final long allocation;
    private final long entries;
    private final long buffers;
    private int tail;

    private BufferRing(long allocation) {
        this.allocation = allocation;
        this.entries = (allocation + PAGE - 1) & -PAGE;
        this.buffers = entries + (long) COUNT * ENTRY_SIZE;
    }

    /** Makes buffers for a ring, or returns null when the kernel has no such thing or no memory for it. */
    static @Nullable BufferRing register(Ring ring) {
        BufferRing created =
                new BufferRing(Libc.allocate(PAGE + (long) COUNT * (ENTRY_SIZE + BUFFER_SIZE) + REGISTRATION_SIZE));
        long registration = created.buffers + (long) COUNT * BUFFER_SIZE;
        Memory.plainLong(registration, created.entries);
        Memory.plainInt(registration + 8, COUNT);
        Memory.plainShort(registration + 12, (short) GROUP);
        if (ring.register(Abi.IORING_REGISTER_PBUF_RING, registration, 1) < 0) {
            created.free();
            return null;
        }
        for (int id = 0; id < COUNT; id++) {
            created.giveBack(id);
        }
        return created;
    }

    long address(int id) {
        return buffers + (long) id * BUFFER_SIZE;
    }

    void giveBack(int id) {
        long entry = entries + (long) (tail & COUNT - 1) * ENTRY_SIZE;
        Memory.plainLong(entry, address(id));
        Memory.plainInt(entry + ENTRY_LENGTH, BUFFER_SIZE);
        Memory.plainShort(entry + ENTRY_ID, (short) id);
        tail++;
        Memory.releaseShort(entries + TAIL, (short) tail); // the kernel may take the entry from here on
    }

    /** Gives the memory back; the ring is closed by then. */
    void free() {
        Libc.free(allocation);
    }
}
