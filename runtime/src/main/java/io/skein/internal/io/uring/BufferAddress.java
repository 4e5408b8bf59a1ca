package io.skein.internal.io.uring;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a direct buffer's bytes are, remembered for the buffer that was asked for last.
 *
 * <p>One side of a stream uses it. The JDK tells an address only through a new segment object; streams are read into the
 * same buffer over and over, so that object is made once a buffer and not once a read.
 */
final class BufferAddress {
    private @Nullable ByteBuffer last;

    /** The address of index 0 of {@link #last}. */
    private long base;

    /** The address of the buffer's position. */
    long of(ByteBuffer buffer) {
        if (buffer != last) {
            base = MemorySegment.ofBuffer(buffer).address() - buffer.position();
            last = buffer;
        }
        return base + buffer.position();
    }
}
