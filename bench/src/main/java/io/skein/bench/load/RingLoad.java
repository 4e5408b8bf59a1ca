package io.skein.bench.load;

import io.skein.internal.io.uring.CompletionQueue;
import io.skein.internal.io.uring.Ring;
import io.skein.internal.io.uring.Sqe;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.SocketException;

/**
 * The load generator on a raw io_uring, made to be the cheapest client there is: per connection one receive that stays
 * armed and discards what arrives in the kernel, one send per request that completes silently, and one system call for
 * all that is ready. No coroutine and no scheduler of the runtime under test takes part.
 *
 * <p>A request's latency runs from the turn of the loop that made it ready to be sent to the turn that saw its whole
 * reply. One thread at a time.
 */
public final class RingLoad implements LoadGenerator {
    private static final int LEAST_ENTRIES = 256;

    /** Refuses where the kernel has no io_uring for us, or none with buffer rings. */
    public RingLoad() throws IOException {
        try (Arena memory = Arena.ofConfined();
                Ring ring = Ring.open(LEAST_ENTRIES, LEAST_ENTRIES)) {
            DiscardBuffers probe = new DiscardBuffers(ring, memory, 1, LEAST_ENTRIES);
            probe.recycle(0);
        }
    }

    @Override
    public String describe() {
        return "one thread, raw io_uring, multishot receives that discard, silent sends";
    }

    @Override
    public LoadReport run(LoadOrder order) throws IOException {
        int entries = Math.max(LEAST_ENTRIES, Integer.highestOneBit(2 * order.connections() - 1) * 2);
        MeasuredWindow window = new MeasuredWindow(order);
        try (Arena memory = Arena.ofConfined();
                Ring ring = Ring.open(entries, 2 * entries);
                RingSockets sockets = new RingSockets(ring, memory, order)) {
            DiscardBuffers buffers = new DiscardBuffers(ring, memory, order.size(), entries);
            new Run(ring, buffers, sockets, order, window).toEnd();
        }
        return window.report();
    }

    @Override
    public void close() {}

    /** The loop and its state: per connection how much of the reply is here, and since when it is awaited. */
    private static final class Run implements CompletionQueue.Consumer {
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
        private final MeasuredWindow window;
        private final int size;
        private final int[] received;
        private final long[] sentAt;
        private long now;
        private int failure;

        Run(Ring ring, DiscardBuffers buffers, RingSockets sockets, LoadOrder order, MeasuredWindow window) {
            this.ring = ring;
            this.buffers = buffers;
            this.sockets = sockets;
            this.window = window;
            size = order.size();
            received = new int[order.connections()];
            sentAt = new long[order.connections()];
        }

        void toEnd() throws IOException {
            now = System.nanoTime();
            window.startRamp(now);
            for (int connection = 0; connection < received.length; connection++) {
                receive(connection);
                enter(0);
                send(connection);
            }
            do {
                enter(1);
                now = System.nanoTime();
                ring.completions().drain(this);
                if (failure != 0) {
                    throw failure(failure);
                }
            } while (window.runsAt(now));
        }

        private void enter(int minimum) throws IOException {
            int result = ring.enter(minimum, Long.MAX_VALUE);
            if (result < 0 && !Errno.EINTR.is(result) && !Errno.EAGAIN.is(result) && !Errno.EBUSY.is(result)) {
                throw new IOException("io_uring_enter: " + Errno.describe(-result));
            }
        }

        @Override
        public void complete(long userData, int result, int flags) {
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
                received[connection] += result;
                if (received[connection] == size) {
                    received[connection] = 0;
                    window.reply(now - sentAt[connection]);
                    send(connection);
                }
            }
        }

        private void receive(int connection) {
            next().opcode(IORING_OP_RECV)
                    .flags(IOSQE_FIXED_FILE | IOSQE_BUFFER_SELECT)
                    .priority(IORING_RECV_MULTISHOT | IORING_RECVSEND_POLL_FIRST)
                    .fd(connection)
                    .operationFlags(MSG_TRUNC)
                    .bufferGroup(DiscardBuffers.GROUP)
                    .userData(connection);
        }

        private void send(int connection) {
            sentAt[connection] = now;
            next().opcode(IORING_OP_SEND)
                    .flags(IOSQE_FIXED_FILE | IOSQE_CQE_SKIP_SUCCESS)
                    .fd(connection)
                    .buffer(sockets.request(), size)
                    .operationFlags(Libc.MSG_WAITALL | Libc.MSG_NOSIGNAL)
                    .userData(SEND | connection);
        }

        /** The queue has room for a receive and a send of every connection, and each turn empties it. */
        private Sqe next() {
            Sqe sqe = ring.submissions().next();
            if (sqe == null) {
                throw new IllegalStateException("the submission queue is full");
            }
            return sqe;
        }

        private static IOException failure(int result) {
            return new SocketException("a connection broke during the run: " + Errno.describe(-result));
        }
    }
}
