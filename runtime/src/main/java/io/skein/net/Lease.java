package io.skein.net;

import io.skein.internal.io.Loan;
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
 * <p>On io_uring it is the buffer that the kernel received into, as long as not too many are lent: nothing is copied. Give it
 * back soon, or hand it on with {@link TcpStream#send(Lease) send}. It is somebody else's then: who keeps the buffer reads and
 * writes what is not theirs.
 */
public final class Lease implements AutoCloseable {
    /** What the end of the stream lends. */
    private static final Loan NONE = new Loan(ByteBuffer.allocateDirect(0)) {
        @Override
        public void giveBack() {}
    };

    /** Null when it was given back. */
    private @Nullable Loan loan;

    private final boolean end;

    /** Null for the end of the stream. */
    Lease(@Nullable Loan loan) {
        this.loan = loan == null ? NONE : loan;
        this.end = loan == null;
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
        return open().bytes();
    }

    private Loan open() {
        Loan lent = loan;
        if (lent == null) {
            throw new IllegalStateException("the lease is closed");
        }
        return lent;
    }

    /** Closes the lease without giving the buffer back: the caller will. */
    Loan handOn() {
        Loan lent = open();
        loan = null;
        return lent;
    }

    /** Gives the buffer back. Idempotent. */
    @Override
    public void close() {
        Loan lent = loan;
        loan = null;
        if (lent != null) {
            lent.giveBack();
        }
    }
}
