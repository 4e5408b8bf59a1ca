package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A read of what a stream's {@link Inflow} brings. The kernel sees it only when the driver's buffers have run out: then it
 * is a receive into its own buffer.
 */
final class Take extends UringOperation {
    private final int fd;
    private final Home home;
    private final Inflow inflow;
    private final NativeBuffers pool;
    private final BufferAddress address = new BufferAddress();

    private @Nullable ByteBuffer target;
    private int filled;

    /** Where the target comes from when something has come, if there is none before. */
    private @Nullable LeasePool lender;

    private @Nullable ByteBuffer lent;

    /** A buffer of the pool, while the kernel receives into it for a heap buffer. */
    private @Nullable Long pooled;

    Take(int fd, Home home, Inflow inflow, NativeBuffers pool) {
        this.fd = fd;
        this.home = home;
        this.inflow = inflow;
        this.pool = pool;
    }

    /** The count of bytes now in the buffer, 0 at the end of the stream, or a negated error number. */
    int perform(Submitter submitter, long deadline, ByteBuffer buffer) {
        target = buffer;
        filled = 0;
        try {
            int result = perform(submitter, deadline);
            Long received = pooled;
            if (result > 0) {
                if (received != null) {
                    put(received, result);
                }
                buffer.position(buffer.position() + result);
            }
            return result;
        } finally {
            target = null;
            Long received = pooled;
            if (received != null) {
                pooled = null;
                pool.giveBack(received);
            }
        }
    }

    /**
     * As the other, into a buffer that is taken when something has come. It is the {@link #lent} one if the count is positive.
     */
    int perform(Submitter submitter, long deadline, LeasePool from) {
        lender = from;
        lent = null;
        filled = 0;
        try {
            int result = perform(submitter, deadline);
            ByteBuffer taken = target;
            if (result > 0) {
                lent = taken == null ? null : taken.limit(result);
            } else if (taken != null) {
                from.giveBack(taken);
            }
            return result;
        } finally {
            lender = null;
            target = null;
        }
    }

    /** The buffer that the last read has filled, from its position to its limit. */
    @Nullable
    ByteBuffer lent() {
        return lent;
    }

    /** Whether more bytes than the last read took are there. */
    boolean leftSome() {
        return (completionFlags() & Abi.IORING_CQE_F_SOCK_NONEMPTY) != 0;
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        return home.settle(submitter);
    }

    @Override
    void begin(UringDriver driver) {
        BufferRing buffers = driver.buffers();
        if (buffers == null) {
            driver.submit(this);
        } else {
            inflow.take(this, driver, buffers);
        }
    }

    @Override
    void cancel(UringDriver driver) {
        if (driver.withdraw(this)) {
            complete(-Errno.ECANCELED.number(), 0);
        } else if (isInFlightOn(driver)) {
            driver.submitCancel(this);
        } else {
            inflow.abandon(this);
        }
    }

    int room() {
        return target == null && lender != null ? LeasePool.SIZE : buffer().remaining() - filled;
    }

    void put(long source, int count) {
        ByteBuffer buffer = buffer();
        if (buffer.isDirect()) {
            Memory.copy(source, address.of(buffer) + filled, count);
        } else {
            Memory.copy(source, buffer.array(), buffer.arrayOffset() + buffer.position() + filled, count);
        }
        filled += count;
    }

    @Override
    public void fill(Sqe sqe) {
        ByteBuffer buffer = buffer();
        long into;
        int length = buffer.remaining();
        if (buffer.isDirect()) {
            into = address.of(buffer);
        } else {
            Long fromPool = pool.take();
            pooled = fromPool;
            into = fromPool;
            length = Math.min(length, NativeBuffers.SIZE);
        }
        sqe.opcode(Abi.IORING_OP_RECV).fd(fd).buffer(into, length);
    }

    private ByteBuffer buffer() {
        ByteBuffer buffer = target;
        if (buffer == null && lender != null) {
            buffer = lender.take();
            target = buffer;
        }
        if (buffer == null) {
            throw new IllegalStateException("no read is going on");
        }
        return buffer;
    }
}
