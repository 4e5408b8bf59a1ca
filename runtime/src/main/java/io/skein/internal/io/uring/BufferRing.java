package io.skein.internal.io.uring;

import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that a ring's receives take from when bytes arrive, so that a connection which waits holds none.
 *
 * <p>Only the ring's own thread uses it. The kernel takes buffers at the head; this side gives them back at the tail,
 * in whatever order they were emptied. Each buffer is in one of two places: between head and tail, for the kernel to take, or
 * taken, from the completion that brought it until it is given back. So the two counts always add up to all of them, once the
 * completions that have come are read; what is missing then is lost for ever.
 *
 * <p>Of those that are taken, some may be lent to whoever reads: half of all at most, so that one who keeps what it borrows leaves
 * enough for the others. Any thread may give such a loan back. It is put on a stack, which the ring's thread takes as a whole; that
 * thread itself need not go this way.
 * The memory is left to the garbage collector, since a loan may outlive the ring.
 *
 * <p>Where buffers are shared, several receives fill one, each from where the last has stopped. Such a buffer is lent once for
 * each part, and given back when the kernel has left it and no part is lent any more.
 */
final class BufferRing {
    /** The size of each buffer. */
    static final int BUFFER_SIZE = LeasePool.SIZE;

    /** How far apart they are. At a power of two the first bytes of all would share a few sets of the cache. */
    private static final int STRIDE = BUFFER_SIZE + 17 * 64;

    static final int GROUP = 0;

    /** How many a driver has. */
    static final int COUNT = 128;

    private static final int ENTRY_SIZE = 16;

    /** A length, a number of 16 bits, and 16 bits that the kernel does not read. */
    private static final int ENTRY_LENGTH_AND_ID = 8;

    /** The tail stands in those bits of the first entry. */
    private static final int TAIL = 14;

    private static final VarHandle RETURNED;

    static {
        try {
            RETURNED = MethodHandles.lookup().findVarHandle(BufferRing.class, "returned", Lent.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int PAGE = 4096;
    private static final int REGISTRATION_SIZE = 40;
    private static final int STATUS_SIZE = 40;
    private static final int STATUS_HEAD = 4;

    /** Keeps the memory, which is the kernel's to write to while the ring is open. */
    private final MemorySegment memory;

    private final long entries;
    private final long buffers;
    private final int count;

    /** How much of each buffer is filled, how many of its parts are lent, and whether the kernel has left it; null if none is shared. */
    private final int @Nullable [] filled;

    private final int[] parts;
    private final boolean[] left;
    private final @Nullable Lent[] loans;

    /** One for each buffer, so that what comes can be kept when the heap is full; none where one buffer may need several. */
    private final Inflow.Chunk[] chunks;

    private int tail;
    private int taken;
    private int lent;

    /** Those that were given back and are not with the kernel yet. */
    private volatile @Nullable Lent returned;

    private long shortages;

    private BufferRing(int count, boolean shared) {
        this.memory = Arena.ofAuto().allocate((long) count * (ENTRY_SIZE + STRIDE) + REGISTRATION_SIZE, PAGE);
        this.loans = new Lent[count];
        this.count = count;
        this.filled = shared ? new int[count] : null;
        this.parts = new int[shared ? count : 0];
        this.left = new boolean[shared ? count : 0];
        this.chunks = new Inflow.Chunk[shared ? 0 : count];
        for (int id = 0; id < chunks.length; id++) {
            chunks[id] = new Inflow.Chunk();
        }
        this.entries = memory.address();
        this.buffers = entries + (long) count * ENTRY_SIZE;
    }

    /**
     * Makes buffers for a ring, or returns null when the kernel has no such thing or no memory for it.
     *
     * @param count a power of two
     * @param shared whether several receives may fill one buffer, if the kernel can do that
     */
    static @Nullable BufferRing register(Ring ring, int count, boolean shared) {
        BufferRing wanted = shared ? make(ring, count, true) : null;
        return wanted != null ? wanted : make(ring, count, false);
    }

    private static @Nullable BufferRing make(Ring ring, int count, boolean shared) {
        BufferRing created;
        try {
            created = new BufferRing(count, shared);
        } catch (OutOfMemoryError e) { // of direct memory, which the JVM limits
            return null;
        }
        long registration = created.buffers + (long) count * STRIDE;
        Memory.plainLong(registration, created.entries);
        Memory.plainInt(registration + 8, count);
        Memory.plainShort(registration + 12, (short) GROUP);
        Memory.plainShort(registration + 14, shared ? Abi.IOU_PBUF_RING_INC : (short) 0);
        if (ring.register(Abi.IORING_REGISTER_PBUF_RING, registration, 1) < 0) {
            return null;
        }
        for (int id = 0; id < count; id++) {
            created.offer(id);
        }
        return created;
    }

    private long address(int id) {
        return buffers + (long) id * STRIDE;
    }

    /** Which buffer a completion has brought. */
    static int id(int completionFlags) {
        return completionFlags >>> Abi.IORING_CQE_BUFFER_SHIFT;
    }

    /** A completion has brought bytes. Returns their address; they are there until the buffer is given back. */
    long taken(int completionFlags, int length) {
        taken++;
        int id = id(completionFlags);
        if (filled == null) {
            return address(id);
        }
        long at = address(id) + filled[id];
        filled[id] += length;
        parts[id]++;
        left[id] = (completionFlags & Abi.IORING_CQE_F_BUF_MORE) == 0;
        return at;
    }

    /** To be called once for each time that it was taken. */
    void giveBack(int id) {
        taken--;
        if (filled == null) {
            offer(id);
        } else if (--parts[id] == 0 && left[id]) {
            filled[id] = 0;
            left[id] = false;
            offer(id);
        }
    }

    /**
     * What a stream keeps a buffer by that was taken, until it gives it back.
     *
     * @return null if there is no memory
     */
    Inflow.@Nullable Chunk chunk(int id) {
        if (filled == null) {
            return chunks[id];
        }
        try {
            return new Inflow.Chunk();
        } catch (Throwable e) {
            return null;
        }
    }

    /** A receive ended because no buffer was left. */
    void ranOut() {
        shortages++;
    }

    /** How often a receive ended because no buffer was left. */
    long shortages() {
        return shortages;
    }

    /**
     * Lends a buffer that was taken to whoever reads, in place of giving it back; null if it may not be lent, or there is no memory to. What
     * it holds starts at index 0.
     */
    @Nullable
    Loan lend(int id) {
        if (lent >= count / 2) {
            collect();
        }
        if (filled != null || lent >= count / 2) {
            return null;
        }
        Lent loan = loan(id);
        if (loan == null) {
            return null;
        }
        loan.reset();
        lent++;
        return loan;
    }

    private @Nullable Lent loan(int id) {
        Lent known = loans[id];
        if (known == null) {
            try {
                known = new Lent(this, id);
            } catch (Throwable e) {
                return null;
            }
            loans[id] = known;
        }
        return known;
    }

    /** Takes a loan back at once, if it is one of this ring's. */
    boolean takeBack(Loan loan) {
        if (!(loan instanceof Lent own) || own.ring != this) {
            return false;
        }
        lent--;
        giveBack(own.id);
        return true;
    }

    /** Takes back what others have given back. */
    void collect() {
        if (returned == null) {
            return;
        }
        for (Lent loan = (Lent) RETURNED.getAndSet(this, null); loan != null; ) {
            Lent next = loan.below; // read first: it may be lent again at once
            lent--;
            giveBack(loan.id);
            loan = next;
        }
    }

    private static final class Lent extends Loan {
        private final BufferRing ring;
        private final int id;

        /** The one that was given back before, while both are on the stack. */
        private @Nullable Lent below;

        Lent(BufferRing ring, int id) {
            super(ring.memory
                    .asSlice(ring.address(id) - ring.entries, BUFFER_SIZE)
                    .asByteBuffer());
            this.ring = ring;
            this.id = id;
        }

        @Override
        public void giveBack() {
            Lent top;
            do {
                top = ring.returned;
                below = top;
            } while (!RETURNED.compareAndSet(ring, top, this));
        }
    }

    /** How many buffers wait for a reader, or are lent to one. */
    int taken() {
        collect();
        return taken;
    }

    /** How many buffers the kernel may take, by the kernel's own count; a negated error number before Linux 6.8. */
    int available(Ring ring) {
        long status = Libc.allocate(STATUS_SIZE);
        try {
            Memory.plainInt(status, GROUP);
            int result = ring.register(Abi.IORING_REGISTER_PBUF_STATUS, status, 1);
            return result < 0 ? result : (tail - Memory.plainInt(status + STATUS_HEAD)) & 0xffff;
        } finally {
            Libc.free(status);
        }
    }

    private void offer(int id) {
        long entry = entries + (long) (tail & count - 1) * ENTRY_SIZE;
        Memory.plainLong(entry, address(id));
        Memory.plainLong(entry + ENTRY_LENGTH_AND_ID, BUFFER_SIZE | (long) id << 32 | (long) tail << 48);
        tail++;
        Memory.releaseShort(entries + TAIL, (short) tail); // the kernel may take the entry from here on
    }
}
