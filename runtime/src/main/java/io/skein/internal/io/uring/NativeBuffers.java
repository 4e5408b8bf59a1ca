package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A pool of native buffers through which bytes of heap buffers travel.
 *
 * <p>Any thread may call it; it is lock-free. It keeps at most {@value #KEPT} idle buffers and gives the rest back
 * to the C library.
 */
final class NativeBuffers {
    /** The size of each buffer; a longer transfer is cut. */
    static final int SIZE = 64 * 1024;

    private static final int KEPT = 256;

    private final MpmcVarHandleArrayQueue<Long> idle = new MpmcVarHandleArrayQueue<>(KEPT);

    /** The address of a buffer of {@link #SIZE} bytes, with whatever contents. */
    Long take() {
        @Nullable Long buffer = idle.poll();
        return buffer != null ? buffer : Long.valueOf(Libc.allocate(SIZE));
    }

    void giveBack(Long buffer) {
        if (!idle.offer(buffer)) {
            Libc.free(buffer);
        }
    }

    /** Frees what is idle. Nothing is in use by then. */
    void close() {
        for (Long buffer = idle.poll(); buffer != null; buffer = idle.poll()) {
            Libc.free(buffer);
        }
    }
}
