package io.skein.internal.io.uring;

import io.skein.internal.io.Loan;
import io.skein.internal.linux.Errno;
import org.jspecify.annotations.Nullable;

/**
 * What comes in on one stream: a receive that stays armed, and the bytes that have come and nobody has taken yet.
 *
 * <p>Everything here happens on the thread of the one driver that the receive is armed on, so nothing is synchronised: a
 * reader on another thread sends its {@link Take} there. The states of the receive are idle, armed, and stopping, when a
 * cancel is on its way. It is armed when somebody waits and nothing has come. It is stopped when {@value #MOST_WAITING}
 * buffers wait for a reader that does not come, and when the stream is closed; and it ends by itself at the end of the
 * stream, at an error, and when the driver's buffers have run out. In that last case the reader who waits gets a receive
 * of its own, into its own buffer. So does a reader of bulk, which {@linkplain Take#leaves leaves}: for it the receive is stopped,
 * and the reader's own is submitted behind the end of that, when no bytes wait here. So bytes keep their order.
 */
final class Inflow implements Request {
    /** So many buffers may wait before the kernel is asked to stop. */
    private static final int MOST_WAITING = 4;

    /** A buffer with bytes that nobody has taken: a queue of them, oldest first. The {@link BufferRing} makes them. */
    static final class Chunk {
        private int id;
        private long address;
        private int length;
        private int taken;
        private @Nullable Chunk next;

        private void fill(int filledId, long from, int count) {
            id = filledId;
            address = from;
            length = count;
            taken = 0;
            next = null;
        }
    }

    private final int fd;
    private long userData;
    private @Nullable UringDriver driver;
    private @Nullable Chunk first;
    private @Nullable Chunk last;
    private int waiting;

    /** How many bytes are in those buffers. Others may look at it. */
    private volatile int held;

    private boolean armed;
    private boolean stopping;
    private boolean closed;
    private @Nullable Take reader;

    /** The result that every further read gets: 0 for the end of the stream, a negated error number, or 1 for none. */
    private int end = 1;

    Inflow(int fd) {
        this.fd = fd;
    }

    @Override
    public long userData() {
        return userData;
    }

    @Override
    public void userData(long given) {
        userData = given;
    }

    /** How many bytes have come that nobody has taken yet. The one thing here that any thread may ask. */
    int held() {
        return held;
    }

    /** Gives a reader what has come, or lets it wait. */
    void take(Take take, UringDriver here, BufferRing ring) {
        driver = here;
        if (take.leaves()) {
            stop();
        }
        if (first != null) {
            drainInto(take, ring);
        } else if (end <= 0) {
            take.complete(end, 0);
        } else if (take.leaves() && !armed) {
            here.submit(take);
        } else if (take.leaves()) {
            reader = take; // until the end of what is being stopped, or until bytes come before that
        } else {
            arm(here);
            reader = take;
        }
    }

    /** Lets a reader go that waits no more. What comes later waits for the next. */
    void abandon(Take take) {
        if (reader == take) {
            reader = null;
            take.complete(-Errno.ECANCELED.number(), 0);
        }
    }

    /** Stops the receive and forgets what nobody has taken. The stream's descriptor is about to be closed. */
    void close() {
        closed = true;
        BufferRing ring = driver == null ? null : driver.buffers();
        for (Chunk chunk = first; chunk != null && ring != null; chunk = chunk.next) {
            ring.giveBack(chunk.id);
        }
        first = null;
        last = null;
        held = 0;
        stop();
    }

    private void arm(UringDriver here) {
        if (!armed && !closed) {
            here.submit(this);
            armed = true;
            stopping = false;
        }
    }

    private void stop() {
        UringDriver here = driver;
        if (here != null && here.withdraw(this)) {
            armed = false; // the kernel has not seen it
        } else if (armed && !stopping && here != null) {
            here.submitCancel(this);
            stopping = true;
        }
    }

    /** As {@link #stop}, where nobody could be told of a failure. What comes next tries again. */
    private void tryToStop() {
        try {
            stop();
        } catch (Throwable e) {
            // No memory. The buffers that it may take meanwhile are not lost.
        }
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_RECV)
                .fd(fd)
                .flags(Abi.IOSQE_BUFFER_SELECT)
                .bufferGroup(BufferRing.GROUP)
                .priority(Abi.IORING_RECV_MULTISHOT);
    }

    @Override
    public void completed(UringDriver here, int result, int flags, boolean isLast) {
        BufferRing ring = here.buffers();
        if (isLast) {
            armed = false;
        }
        long address = 0;
        if (ring != null && (flags & Abi.IORING_CQE_F_BUFFER) != 0) {
            address = ring.taken(flags, Math.max(0, result));
            if (result <= 0) {
                ring.giveBack(BufferRing.id(flags)); // not seen so far, but nothing forbids it
            }
        }
        if (result > 0 && ring != null) {
            arrived(ring, BufferRing.id(flags), address, result);
        } else if (result == 0 || !isPassing(result)) {
            end = result;
        }
        if (ring != null && Errno.ENOBUFS.is(result)) {
            ring.ranOut();
        }
        Take waiter = reader;
        if (waiter != null && isLast) {
            if (end <= 0) {
                reader = null;
                waiter.complete(end, 0);
            } else if (Errno.ENOMEM.is(result) || !goOn(waiter, here, Errno.ENOBUFS.is(result) || waiter.leaves())) {
                reader = null;
                waiter.complete(-Errno.ENOMEM.number(), 0);
            }
        }
    }

    /** Lets a reader wait on when the receive has ended; returns false, and has changed nothing, if there is no memory for that. */
    private boolean goOn(Take waiter, UringDriver here, boolean ranOut) {
        try {
            if (ranOut) {
                here.submit(waiter); // into its own buffer
                reader = null;
            } else {
                arm(here);
            }
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    /** Whether a receive that ended so may be armed again. */
    private static boolean isPassing(int result) {
        return Errno.ENOBUFS.is(result)
                || Errno.ENOMEM.is(result)
                || Errno.ECANCELED.is(result)
                || Errno.EINTR.is(result);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only this thread writes it
    private void arrived(BufferRing ring, int id, long address, int length) {
        if (closed) {
            ring.giveBack(id);
            return;
        }
        Take waiter = reader;
        Loan loan = waiter != null && waiter.borrows() ? ring.lend(id) : null;
        if (waiter != null && loan != null) {
            reader = null;
            waiter.lend(loan);
            waiter.complete(length, 0);
            return;
        }
        if (waiter != null
                && waiter.room() >= length
                && put(waiter, address, length)) { // the usual case: nothing else waits
            reader = null;
            ring.giveBack(id);
            waiter.complete(length, 0);
            return;
        }
        Chunk chunk = ring.chunk(id);
        if (chunk == null) {
            lose(ring, id);
            return;
        }
        chunk.fill(id, address, length);
        if (last == null) {
            first = chunk;
        } else {
            last.next = chunk;
        }
        last = chunk;
        waiting++;
        held += length;
        if (waiter != null) {
            reader = null;
            drainInto(waiter, ring);
        } else if (waiting >= MOST_WAITING) {
            tryToStop();
        }
    }

    /** Forgets bytes that have come, for there is no memory to keep them. From here on the stream is broken, and says so. */
    private void lose(BufferRing ring, int id) {
        ring.giveBack(id);
        end = -Errno.ENOMEM.number();
        tryToStop();
        Take waiter = reader;
        if (waiter != null) {
            reader = null;
            waiter.complete(end, 0);
        }
    }

    /** Gives a reader all that it has room for. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only this thread writes it
    private void drainInto(Take take, BufferRing ring) {
        int count = lendFirst(take, ring);
        for (Chunk chunk = count > 0 ? null : first; chunk != null && take.room() > 0; chunk = first) {
            int copied = Math.min(take.room(), chunk.length - chunk.taken);
            if (!put(take, chunk.address + chunk.taken, copied)) {
                break;
            }
            chunk.taken += copied;
            count += copied;
            if (chunk.taken == chunk.length) {
                first = chunk.next;
                waiting--;
                ring.giveBack(chunk.id);
            }
        }
        if (first == null) {
            last = null;
        }
        held -= count;
        take.complete(count > 0 ? count : -Errno.ENOMEM.number(), first == null ? 0 : Abi.IORING_CQE_F_SOCK_NONEMPTY);
    }

    /** Copies to a reader; returns false, and has done nothing, if there is no memory for a buffer that it would be lent. */
    private static boolean put(Take take, long source, int count) {
        try {
            take.put(source, count);
            return true;
        } catch (Throwable e) { // on the driver's thread, where nobody is told
            return false;
        }
    }

    /** Gives a reader that borrows the first buffer as it is, if it can be had; returns how many bytes are in it. */
    private int lendFirst(Take take, BufferRing ring) {
        Chunk chunk = first;
        Loan loan = chunk != null && chunk.taken == 0 && take.borrows() ? ring.lend(chunk.id) : null;
        if (chunk == null || loan == null) {
            return 0;
        }
        take.lend(loan);
        first = chunk.next;
        waiting--;
        return chunk.length;
    }
}
