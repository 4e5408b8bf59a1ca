package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Memory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A read of a stream: of what its {@link Inflow} brings, or by a receive of its own. All results are counts of bytes, 0 at the
 * end of the stream, or negated error numbers.
 *
 * <p>The first read decides which. A large buffer is a sign of bulk, which is better received where it belongs than copied. A
 * stream that is read by its inflow is received from directly only when the driver's buffers have run out.
 */
final class Take extends BufferOperation {
    /** A first read into more is a sign of bulk. */
    private static final int SMALL = 8 * 1024;

    /** What brings the bytes, once the first read has decided so. Others look at it to see what it holds. */
    private @Nullable Inflow inflow;

    /** Whether the kernel knows {@code POLL_FIRST}, and tells when a socket holds more. */
    private final boolean hints;

    private boolean decided;

    /** Whether nothing is to be received, but waited for. */
    private boolean polls;

    /**
     * Whether the socket was empty after the last receive. Then an attempt now would almost surely fail, so the
     * kernel is told to wait for readiness first.
     */
    private boolean drained;

    /** Where a buffer comes from when something has come, if there is none before. */
    private @Nullable LeasePool lender;

    private @Nullable Loan loan;

    /** How much of a buffer of the pool is filled. Its position is not asked: who had it before may move that still. */
    private int filled;

    Take(int fd, Home home, NativeBuffers pool, boolean inflows, boolean hints) {
        super(fd, home, pool);
        this.hints = hints;
        this.decided = !inflows;
    }

    /** Reads into a buffer that has room, and moves its position. */
    int read(Submitter submitter, long deadline, ByteBuffer target) {
        decide(target.remaining());
        buffer = target;
        int before = target.position();
        try {
            int result = receive(submitter, deadline);
            if (result > 0 && target.position() == before) { // the kernel received it, and not the inflow
                Long borrowed = borrowed();
                if (borrowed != null) {
                    put(borrowed, result);
                } else {
                    target.position(before + result);
                }
            }
            return result;
        } finally {
            Reference.reachabilityFence(target); // until here the kernel may write to it
            finish();
        }
    }

    /** Reads into a buffer that is taken when something has come. If the result is positive it is {@link #lent}, else none is. */
    int read(Submitter submitter, long deadline, LeasePool pool) {
        decide(0);
        lender = pool;
        filled = 0;
        int received = 0; // and so it stays if something is thrown
        try {
            int result =
                    inflow != null ? 1 : poll(submitter, deadline); // for an inflow the kernel picks a buffer in time
            if (result > 0) {
                result = receive(submitter, deadline);
                received = result;
            }
            return result;
        } finally {
            lender = null;
            finish();
            Loan taken = loan;
            if (taken != null && received > 0) {
                taken.bytes().position(0).limit(received);
            } else if (taken != null) {
                loan = null;
                taken.giveBack();
            }
        }
    }

    /** What the last read has filled, from the buffer's position to its limit; it is the caller's then. */
    @Nullable
    Loan lent() {
        Loan lent = loan;
        loan = null;
        return lent;
    }

    private void decide(int room) {
        if (!decided) {
            inflow = room <= SMALL ? new Inflow(fd) : null;
            decided = true;
        }
    }

    private int poll(Submitter submitter, long deadline) {
        polls = true;
        try {
            return perform(submitter, deadline);
        } finally {
            polls = false;
        }
    }

    private int receive(Submitter submitter, long deadline) {
        int result = perform(submitter, deadline);
        drained = hints && inflow == null && result > 0 && !leftSome();
        return result;
    }

    /** Whether more bytes than the last read took are known to be there. */
    boolean leftSome() {
        return (completionFlags() & Abi.IORING_CQE_F_SOCK_NONEMPTY) != 0;
    }

    /** How many bytes have been received and not been read. Any thread may ask. */
    int held() {
        Inflow present = inflow;
        return present == null ? 0 : present.held();
    }

    /** Stops what is armed. Called on the driver's thread, when nobody reads any more. */
    void close() {
        if (inflow != null) {
            inflow.close();
        }
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        return inflow != null ? home.settle(submitter) : submitter.lane();
    }

    @Override
    void begin(UringDriver driver) {
        BufferRing buffers = driver.buffers();
        if (inflow == null || buffers == null) {
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
        } else if (inflow != null) {
            inflow.abandon(this);
        }
    }

    /** Whether it would rather have the buffer that something came in than a copy. */
    boolean borrows() {
        return lender != null && loan == null;
    }

    /** Gives it the buffer that something came in, from index 0. */
    void lend(Loan lent) {
        loan = lent;
    }

    int room() {
        return lender != null ? LeasePool.SIZE - filled : buffer().remaining();
    }

    void put(long source, int count) {
        LeasePool pool = lender;
        if (pool != null) {
            Memory.copy(source, pooled(pool).base() + filled, count);
            filled += count;
            return;
        }
        ByteBuffer target = buffer();
        if (target.isDirect()) {
            Memory.copy(source, address(target), count);
        } else {
            Memory.copy(source, target.array(), target.arrayOffset() + target.position(), count);
        }
        target.position(target.position() + count);
    }

    @Override
    public void fill(Sqe sqe) {
        if (polls) {
            sqe.opcode(Abi.IORING_OP_POLL_ADD).fd(fd).operationFlags(Poll.IN);
            return;
        }
        sqe.opcode(Abi.IORING_OP_RECV).fd(fd).priority(drained ? Abi.IORING_RECVSEND_POLL_FIRST : 0);
        LeasePool pool = lender;
        if (pool != null) {
            sqe.buffer(pooled(pool).base(), LeasePool.SIZE);
            return;
        }
        ByteBuffer target = buffer();
        if (target.isDirect()) {
            sqe.buffer(address(target), target.remaining());
        } else {
            sqe.buffer(borrow(), Math.min(target.remaining(), NativeBuffers.SIZE));
        }
    }

    /** The buffer of the pool that is read into, taken now if there is none yet. */
    private Loan pooled(LeasePool pool) {
        Loan taken = loan;
        if (taken == null) {
            taken = pool.take();
            loan = taken;
        }
        return taken;
    }
}
