package io.skein.internal.io.uring;

import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Memory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How a stream is read: by its {@link Inflow}, or by receives of its own. One thread reads at a time; who closes comes when
 * nobody does.
 *
 * <p>The first read decides. A large buffer is a sign of bulk, which is better received where it belongs than copied. All results are counts of bytes, 0 at the end of the stream, or negated error numbers.
 */
final class Intake {
    private enum Mode {
        UNDECIDED,
        INFLOW,
        RECEIVES
    }

    /** A first read into more is a sign of bulk. */
    private static final int SMALL = 8 * 1024;

    private final UringBackend backend;
    private final Submitter submitter;
    private final int fd;
    private final Inflow inflow;
    private final Take take;
    private Mode mode = Mode.UNDECIDED;

    /** Made when they are first needed: there may be many streams, and most are read in one way. */
    private @Nullable Recv recv;

    private @Nullable Poll poll;

    private @Nullable ByteBuffer lent;

    Intake(UringBackend backend, Submitter submitter, int fd, Home home) {
        this.backend = backend;
        this.submitter = submitter;
        this.fd = fd;
        this.inflow = new Inflow(fd);
        this.take = new Take(fd, home, inflow, backend.buffers());
    }

    /** Reads into a buffer that has room, and moves its position. */
    int read(ByteBuffer target, long deadline) {
        decide(target.remaining());
        if (mode == Mode.INFLOW) {
            return take.perform(submitter, deadline, target);
        }
        return target.isDirect() ? readDirect(target, deadline) : readHeap(target, deadline);
    }

    private void decide(int room) {
        if (mode == Mode.UNDECIDED) {
            boolean byInflow = backend.inflows() && room <= SMALL;
            mode = byInflow ? Mode.INFLOW : Mode.RECEIVES;
        }
    }

    /** Whether more bytes than the last read took are known to be there. */
    boolean leftSome() {
        return mode == Mode.INFLOW ? take.leftSome() : receiving().leftSome();
    }

    /** How many bytes have been received and not been read. Any thread may ask. */
    int held() {
        return inflow.held();
    }

    private int readDirect(ByteBuffer target, long deadline) {
        Recv receiving = receiving();
        try {
            int count = receiving.perform(submitter, deadline, receiving.addressOf(target), target.remaining());
            if (count > 0) {
                target.position(target.position() + count);
            }
            return count;
        } finally {
            Reference.reachabilityFence(target); // until here the kernel may write to it
        }
    }

    private int readHeap(ByteBuffer target, long deadline) {
        Long buffer = backend.buffers().take();
        try {
            int room = Math.min(target.remaining(), NativeBuffers.SIZE);
            int count = receiving().perform(submitter, deadline, buffer, room);
            if (count > 0) {
                Memory.copy(buffer, target.array(), target.arrayOffset() + target.position(), count);
                target.position(target.position() + count);
            }
            return count;
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    /** Reads into a buffer that is taken when something has come: {@link #lent}, if the result is positive. */
    int read(LeasePool pool, long deadline) {
        decide(0);
        if (mode == Mode.INFLOW) {
            int result = take.perform(submitter, deadline, pool);
            lent = take.lent();
            return result;
        }
        int ready = polling().perform(submitter, deadline); // the kernel picks no buffers, so readiness comes first
        return ready < 0 ? ready : readReady(pool, deadline);
    }

    private int readReady(LeasePool pool, long deadline) {
        ByteBuffer buffer = pool.take();
        int result = readDirect(buffer, deadline);
        if (result > 0) {
            lent = buffer.flip();
        } else {
            pool.giveBack(buffer);
        }
        return result;
    }

    /** The buffer that the last read has filled, from its position to its limit; it is the caller's then. */
    @Nullable
    ByteBuffer lent() {
        ByteBuffer filled = lent;
        lent = null;
        return filled;
    }

    private Recv receiving() {
        Recv known = recv;
        if (known == null) {
            known = new Recv(fd, backend.receiveHints());
            recv = known;
        }
        return known;
    }

    private Poll polling() {
        Poll known = poll;
        if (known == null) {
            known = new Poll(fd, Poll.IN);
            poll = known;
        }
        return known;
    }

    Inflow inflow() {
        return inflow;
    }

    /** Gives timers back. Nobody reads any more. */
    void forgetDeadlines() {
        take.forgetDeadline();
        if (recv != null) {
            recv.forgetDeadline();
        }
        if (poll != null) {
            poll.forgetDeadline();
        }
    }
}
