package io.skein.internal.io.uring;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A read or a write of one buffer on a stream. The kernel is given a direct buffer as it is; in place of a heap buffer it gets
 * one of the pool's, for as long as it has the operation.
 */
abstract class BufferOperation extends UringOperation {
    final int fd;
    final Home home;
    private final NativeBuffers pool;

    /** What is read into or written from, while that goes on. */
    @Nullable
    ByteBuffer buffer;

    /**
     * The direct buffer whose address was asked for last. The JDK tells an address only through a new segment object; streams
     * use the same buffer over and over, so that object is made once a buffer and not once an operation.
     */
    private @Nullable ByteBuffer addressed;

    /** The address of its index 0. */
    private long base;

    private @Nullable Long pooled;

    BufferOperation(int fd, Home home, NativeBuffers pool) {
        this.fd = fd;
        this.home = home;
        this.pool = pool;
    }

    final ByteBuffer buffer() {
        ByteBuffer present = buffer;
        if (present == null) {
            throw new IllegalStateException("no read or write is going on");
        }
        return present;
    }

    /** The address of a direct buffer's position. */
    final long address(ByteBuffer direct) {
        if (direct != addressed) {
            base = MemorySegment.ofBuffer(direct).address() - direct.position();
            addressed = direct;
        }
        return base + direct.position();
    }

    /** A buffer of the pool, to stand for a heap buffer until {@link #finish}. */
    final long borrow() {
        Long borrowed = pool.take();
        pooled = borrowed;
        return borrowed;
    }

    /** The buffer that was borrowed, or null. */
    final @Nullable Long borrowed() {
        return pooled;
    }

    /** Lets go of the buffer. The kernel is done with it. */
    final void finish() {
        buffer = null;
        Long borrowed = pooled;
        if (borrowed != null) {
            pooled = null;
            pool.giveBack(borrowed);
        }
    }
}
