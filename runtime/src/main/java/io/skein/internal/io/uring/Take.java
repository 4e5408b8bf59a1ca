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
 * <p>What arrives decides which. Every stream begins with its inflow, which saves a poll for each read and costs a copy. Bulk is
 * better received where it belongs: after {@value #STREAK} reads in a row that brought more than {@value #SMALL} bytes each into
 * a large buffer, reads are receives of their own, and after {@value #STREAK} that brought less they go by the inflow again. Leases
 * are always the inflow's, since these are not copied. Besides, a read by the inflow is a receive of its own when the driver's buffers
 * have run out.
 *
 * <pre>
 *   by the inflow -> leaving     the streak is full; the read that follows has the inflow stopped, and receives for itself
 *   leaving -> direct            that receive brought bytes, so the inflow is neither armed nor holds any
 *   leaving -> by the inflow     a lease is asked for, or the inflow still had bytes, and they were few
 *   direct -> by the inflow      the streak is full, or a lease is asked for
 * </pre>
 *
 * <p>The waiter changes the state, and only between two runs of this operation.
 */
final class Take extends BufferOperation {
    /** So many bytes cost less to copy than a poll does. */
    private static final int SMALL = 4 * 1024;

    /** Smaller direct buffers are not worth a receive each: the inflow brings enough for several reads at a time. */
    private static final int LARGE_BUFFER = 8 * 1024;

    /** So many reads in a row have to speak for the other way. */
    private static final int STREAK = 4;

    /** What brings the bytes, made for the first read that goes by it. Others look at it to see what it holds. */
    private @Nullable Inflow inflow;

    /** Whether the kernel has receives that stay armed. */
    private final boolean inflows;

    /** Whether reads are receives of their own, and the inflow, if there is one, is idle. */
    private boolean direct;

    /** How many reads in a row have spoken for the other way. */
    private int streak;

    /** Whether the kernel knows {@code POLL_FIRST}, and tells when a socket holds more. */
    private final boolean hints;

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
        this.inflows = inflows;
        this.direct = !inflows;
    }

    /** Reads into a buffer that has room, and moves its position. */
    int read(Submitter submitter, long deadline, ByteBuffer target) {
        prepare();
        buffer = target;
        int before = target.position();
        int room = target.remaining();
        try {
            int result = receive(submitter, deadline);
            boolean received = result > 0 && target.position() == before; // by the kernel, and not by the inflow
            if (received) {
                Long borrowed = borrowed();
                if (borrowed != null) {
                    put(borrowed, result);
                } else {
                    target.position(before + result);
                }
            }
            if (result > 0 && inflows) {
                learn(result, received, target.isDirect() ? room > LARGE_BUFFER : room > BufferRing.BUFFER_SIZE);
            }
            return result;
        } finally {
            Reference.reachabilityFence(target); // until here the kernel may write to it
            finish();
        }
    }

    /** Reads into a buffer that is taken when something has come. If the result is positive it is {@link #lent}, else none is. */
    int read(Submitter submitter, long deadline, LeasePool pool) {
        direct = !inflows;
        streak = 0;
        prepare();
        lender = pool;
        filled = 0;
        int received = 0; // and so it stays if something is thrown
        try {
            int result = direct ? poll(submitter, deadline) : 1; // for an inflow the kernel picks a buffer in time
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

    private void prepare() {
        if (!direct && inflow == null) {
            inflow = new Inflow(fd);
        }
    }

    /**
     * Chooses the way of the next read.
     *
     * @param received whether the bytes came by a receive of this read's own
     * @param worthwhile whether a receive into the buffer saves a copy, or brings more than the inflow does at a time
     */
    private void learn(int count, boolean received, boolean worthwhile) {
        if (received && leaves()) {
            direct = true;
            streak = 0;
        }
        boolean bulk = count > SMALL && worthwhile;
        streak = bulk == direct ? 0 : streak + 1;
        if (direct && streak >= STREAK) {
            direct = false;
            streak = 0;
        }
    }

    /** Whether the next read by the inflow would rather be a receive of its own. */
    boolean leaves() {
        return !direct && streak >= STREAK;
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
        drained = hints && direct && result > 0 && !leftSome();
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
        return direct ? submitter.lane() : home.settle(submitter);
    }

    @Override
    void begin(UringDriver driver) {
        BufferRing buffers = driver.buffers();
        Inflow present = inflow;
        if (direct || present == null || buffers == null) {
            driver.submit(this);
        } else {
            present.take(this, driver, buffers);
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
