package io.skein.internal.io;

import java.nio.ByteBuffer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that are lent with what has arrived in them. Any thread may call it; it is lock-free. It keeps at most {@value #KEPT}
 * that are idle, and leaves the others to the garbage collector.
 */
public final class LeasePool {
    /** The size of each buffer. */
    public static final int SIZE = 16 * 1024;

    private static final int KEPT = 256;

    private final MpmcVarHandleArrayQueue<ByteBuffer> idle = new MpmcVarHandleArrayQueue<>(KEPT);

    /** An empty buffer, whoever had it before. */
    public ByteBuffer take() {
        @Nullable ByteBuffer buffer = idle.poll();
        return buffer != null ? buffer.clear() : ByteBuffer.allocateDirect(SIZE);
    }

    public void giveBack(ByteBuffer buffer) {
        boolean _ = idle.offer(buffer);
    }
}
