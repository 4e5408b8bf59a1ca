package io.skein.net;

import io.skein.internal.Headroom;
import io.skein.internal.io.Loan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that have arrived, in a buffer that is lent. One thread at a time uses it; should several close it, the buffer is given
 * back once all the same.
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

    private static final VarHandle LOAN;

    static {
        try {
            LOAN = MethodHandles.lookup().findVarHandle(Lease.class, "loan", Loan.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null when it was given back. */
    private @Nullable Loan loan;

    private boolean end;

    /** One that is closed, until it {@linkplain #of has} something: made beforehand, because what has arrived must not be lost if there is no memory. */
    Lease() {}

    /** Gives it what has arrived, or null at the end of the stream. Called once, before anybody else sees it. */
    Lease of(@Nullable Loan arrived) {
        loan = arrived == null ? NONE : arrived;
        end = arrived == null;
        return this;
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
        Loan lent = loan;
        if (lent == null) {
            throw closed();
        }
        return lent.bytes();
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the lease is closed");
    }

    /** Closes the lease without giving the buffer back: the caller will. */
    Loan handOn() {
        Loan lent = take();
        if (lent == null) {
            throw closed();
        }
        return lent;
    }

    /** The loan is the caller's then, and nobody else's: one that is given back twice would be lent to two. */
    private @Nullable Loan take() {
        return (@Nullable Loan) LOAN.getAndSet(this, null);
    }

    @Override
    public String toString() {
        Loan lent = loan;
        return lent == null
                ? "Lease[closed]"
                : end ? "Lease[end of the stream]" : "Lease[" + lent.bytes().remaining() + " bytes]";
    }

    /** Gives the buffer back. Idempotent. */
    @Override
    public void close() {
        Headroom.toEnd(); // what is taken is given back
        Loan lent = take();
        if (lent != null) {
            lent.giveBack();
        }
    }
}
