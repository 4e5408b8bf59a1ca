package io.skein.bench.load;

import io.skein.internal.io.uring.CompletionQueue;
import io.skein.internal.io.uring.Ring;
import io.skein.internal.io.uring.Sqe;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.io.IOException;
import java.net.SocketException;

/**
 * The loop of a run on a ring: each connection has one receive that stays armed and discards what arrives in the kernel,
 * a send completes silently, and a turn is one system call for all that is ready. Subclasses say what is sent when. One
 * thread.
 */
abstract class RingRun implements CompletionQueue.Consumer {
    private static final byte IORING_OP_SEND = 26;
    private static final byte IORING_OP_RECV = 27;
    private static final int IOSQE_FIXED_FILE = 1;
    private static final int IOSQE_BUFFER_SELECT = 1 << 5;
    private static final int IOSQE_CQE_SKIP_SUCCESS = 1 << 6;
    private static final int IORING_RECVSEND_POLL_FIRST = 1;
    private static final int IORING_RECV_MULTISHOT = 1 << 1;
    private static final int IORING_CQE_F_BUFFER = 1;
    private static final int IORING_CQE_F_MORE = 1 << 1;
    private static final int BUFFER_ID_SHIFT = 16;
    private static final int MSG_TRUNC = 0x20;
    private static final long SEND = 1L << 32;

    private final Ring ring;
    private final DiscardBuffers buffers;
    private final RingSockets sockets;
    final MeasuredWindow window;
    final int connections;
    final int size;

    /** The time of this turn. */
    long now;

    private int failure;

    RingRun(Ring ring, DiscardBuffers buffers, RingSockets sockets, LoadOrder order, MeasuredWindow window) {
        this.ring = ring;
        this.buffers = buffers;
        this.sockets = sockets;
        this.window = window;
        connections = order.connections();
        size = order.size();
    }

    final void toEnd() throws IOException {
        now = System.nanoTime();
        window.startRamp(now);
        for (int connection = 0; connection < connections; connection++) {
            receive(connection);
            enter(ring, 0, Long.MAX_VALUE);
            start(connection);
        }
        do {
            long patience = turn();
            enter(ring, patience > 0 ? 1 : 0, patience);
            now = System.nanoTime();
            ring.completions().drain(this);
            if (failure != 0) {
                throw failure(failure);
            }
        } while (window.runsAt(now));
    }

    /** A connection is ready. */
    abstract void start(int connection);

    /** So many bytes came. */
    abstract void received(int connection, int bytes);

    /** Before the system call of a turn: sends what is due, and says how many nanoseconds it may wait. */
    long turn() {
        return Long.MAX_VALUE;
    }

    static void enter(Ring ring, int minimum, long patience) throws IOException {
        int result = ring.enter(minimum, patience);
        if (result < 0
                && !Errno.EINTR.is(result)
                && !Errno.EAGAIN.is(result)
                && !Errno.EBUSY.is(result)
                && !Errno.ETIME.is(result)) {
            throw new IOException("io_uring_enter: " + Errno.describe(-result));
        }
    }

    @Override
    public final void complete(long userData, int result, int flags) {
        if ((flags & IORING_CQE_F_BUFFER) != 0) {
            buffers.recycle(flags >>> BUFFER_ID_SHIFT);
        }
        int connection = (int) userData;
        boolean send = (userData & SEND) != 0;
        if (send || (result <= 0 && !Errno.ENOBUFS.is(result))) {
            failure = result == 0 ? -Errno.ECONNRESET.number() : result;
            return;
        }
        if ((flags & IORING_CQE_F_MORE) == 0) {
            receive(connection);
        }
        if (result > 0) {
            received(connection, result);
        }
    }

    private void receive(int connection) {
        next(ring)
                .opcode(IORING_OP_RECV)
                .flags(IOSQE_FIXED_FILE | IOSQE_BUFFER_SELECT)
                .priority(IORING_RECV_MULTISHOT | IORING_RECVSEND_POLL_FIRST)
                .fd(connection)
                .operationFlags(MSG_TRUNC)
                .bufferGroup(DiscardBuffers.GROUP)
                .write(connection);
    }

    final void send(int connection) {
        next(ring)
                .opcode(IORING_OP_SEND)
                .flags(IOSQE_FIXED_FILE | IOSQE_CQE_SKIP_SUCCESS)
                .fd(connection)
                .buffer(sockets.request(), size)
                .operationFlags(Libc.MSG_WAITALL | Libc.MSG_NOSIGNAL)
                .write(SEND | connection);
    }

    /** The queue has room for all that every connection may ask for in a turn, and each turn empties it. */
    static Sqe next(Ring ring) {
        Sqe sqe = ring.submissions().next();
        if (sqe == null) {
            throw new IllegalStateException("the submission queue is full");
        }
        return sqe;
    }

    static IOException failure(int result) {
        return new SocketException("a connection broke during the run: " + Errno.describe(-result));
    }
}
