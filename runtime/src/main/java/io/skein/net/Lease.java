package io.skein.net;

import io.skein.internal.io.LeasePool;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that have arrived, in a buffer that is lent. One thread uses it.
 *
 * <pre>{@code
 * try (Lease lease = stream.receive()) {
 *     if (lease.isEnd()) {
 *         return;
 *     }
 *     stream.write(lease.bytes());
 * }
 * }</pre>
 *
 * <p>The buffer is somebody else's after {@link #close}: who keeps it reads and writes what is not theirs.
 */
public final class Lease implements AutoCloseable {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final LeasePool pool;
    private final boolean end;
    private @Nullable ByteBuffer buffer;

    /** A buffer of the pool, or null for the end of the stream. */
    Lease(LeasePool pool, @Nullable ByteBuffer buffer) {
        this.pool = pool;
        this.end = buffer == null;
        this.buffer = buffer == null ? NOTHING : buffer;
    }

    /** Whether the stream has ended, and there are no bytes. */
    public boolean isEnd() {
        return end;
    }

    /**
     * What has arrived, from the buffer's position to its limit.
     *
     * @throws IllegalStateException if the lease is closed
     */
    public ByteBuffer bytes() {
        ByteBuffer lent = buffer;
        if (lent == null) {
            throw new IllegalStateException("the lease is closed");
        }
        return lent;
    }

    /** Gives the buffer back. Idempotent. */
    @Override
    public void close() {
        ByteBuffer lent = buffer;
        buffer = null;
        if (lent != null && !end) {
            pool.giveBack(lent);
        }
    }
}
