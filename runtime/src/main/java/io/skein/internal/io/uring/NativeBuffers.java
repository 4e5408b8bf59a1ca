package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;
import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A pool of native buffers through which bytes of heap buffers travel.
 *
 * <p>Any thread may call it; it is lock-free. It keeps at most {@value #KEPT} idle buffers and gives the rest back
 * to the C library. Each buffer that was taken is in use until it is given back, and there is one at most for each operation
 * that goes on. With a slab there are {@value #IN_SLAB} more, for files, in one piece of memory that rings may register.
 */
final class NativeBuffers {
    /** The size of each buffer; a longer transfer is cut. */
    static final int SIZE = 64 * 1024;

    static final int KEPT = 256;
    static final int IN_SLAB = 16;
    private static final int PAGE = 4096;

    private final MpmcVarHandleArrayQueue<Long> idle = new MpmcVarHandleArrayQueue<>(KEPT);
    private final MpmcVarHandleArrayQueue<Long> idleInSlab = new MpmcVarHandleArrayQueue<>(IN_SLAB);

    /** How many buffers the C library has given and not got back. The slab's are not counted. */
    private final LongAdder allocated = new LongAdder();

    private final long allocation;

    /** The slab's address, or 0. */
    private final long slab;

    /** A pool, empty at first. */
    NativeBuffers(boolean withSlab) {
        allocation = withSlab ? Libc.allocate(slabSize() + PAGE) : 0;
        slab = (allocation + PAGE - 1) & -PAGE;
        for (int i = 0; withSlab && i < IN_SLAB; i++) {
            idleInSlab.offer(slab + (long) i * SIZE);
        }
    }

    long slab() {
        return slab;
    }

    static long slabSize() {
        return (long) IN_SLAB * SIZE;
    }

    boolean isInSlab(long address) {
        return address >= slab && address < slab + slabSize() && slab != 0;
    }

    /** The address of a buffer of {@link #SIZE} bytes, with whatever contents. */
    Long take() {
        @Nullable Long buffer = idle.poll();
        if (buffer != null) {
            return buffer;
        }
        long fresh = Libc.allocate(SIZE);
        try {
            Long boxed = fresh;
            allocated.increment();
            return boxed;
        } catch (Throwable e) { // no memory for the box
            Libc.free(fresh);
            throw e;
        }
    }

    /** As {@link #take}, from the slab if it has one left. */
    Long takeForFile() {
        @Nullable Long buffer = idleInSlab.poll();
        return buffer != null ? buffer : take();
    }

    void giveBack(Long buffer) {
        if (isInSlab(buffer)) {
            idleInSlab.offer(buffer);
        } else if (!idle.offer(buffer)) {
            free(buffer);
        }
    }

    private void free(Long buffer) {
        Libc.free(buffer);
        allocated.decrement();
    }

    /** How many buffers there are, idle or in use. */
    long allocated() {
        return allocated.sum();
    }

    /** Frees what is idle. Nothing is in use by then. */
    void close() {
        for (Long buffer = idle.poll(); buffer != null; buffer = idle.poll()) {
            free(buffer);
        }
        if (allocation != 0) {
            Libc.free(allocation);
        }
    }
}
