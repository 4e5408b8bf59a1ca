package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Loan;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What goes out on one stream while nobody waits for it: the last small write, in a buffer of the driver's, or a loan that was
 * handed on.
 *
 * <p>A small {@link Put} that finds nothing in its way is copied, and its writer goes on; the kernel gets the bytes when the
 * driver next enters it. So a coroutine that answers and reads on gives way once, and not twice. Nothing overtakes: while a
 * send is in flight, the next write waits for its end. A send that fails fails every later write, for bytes are missing
 * then. The kernel sends the whole or fails. Kernels before Linux 5.19 may send a part and leave it at that, when the stream may be
 * closed already: there nothing goes out this way, and every write waits and sends the rest itself. The stream may be closed
 * meanwhile: a send that the kernel has holds the socket open, and the entry that closes the descriptor comes behind it.
 *
 * <p>Everything here happens on the thread of the one driver that is the stream's {@link Home}. Only whether a send is in
 * flight, and after that the failure, may be looked at from elsewhere.
 */
final class Outflow implements Request {
    /** How long the bytes of a closed stream may wait for a peer that does not read them. */
    static final long FAREWELL_NANOS = 60_000_000_000L;

    /** How long a thread without a ring waits before it looks again. */
    private static final long MOMENT_NANOS = 50_000;

    private static final VarHandle IN_FLIGHT;

    static {
        try {
            IN_FLIGHT = MethodHandles.lookup().findVarHandle(Outflow.class, "inFlight", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int fd;
    private final boolean wholeSends;
    private long userData;

    /** Where the bytes are that the kernel is to send, and how many: all at first, and after a short send the rest. */
    private long unsent;

    private int length;

    /** What the bytes are in, if they are not in a buffer of the driver's. */
    private @Nullable Loan loan;

    /** The write that waits for the end of the send. */
    private @Nullable Put next;

    /** Whether the stream is being closed while somebody is inside, who must not begin anything more. */
    private boolean evicted;

    /** Whether nothing more is to be written: the peer hears of that when what is in flight has gone. */
    private boolean ended;

    /** Whether the descriptor is closed, so that no entry may name it any more. */
    private boolean closed;

    /**
     * Written by release: who must see it has put the send, or was told of it. The end need not see a limit that is set at the same
     * time; the limit's timer will find nothing to end.
     */
    private volatile boolean inFlight;

    /** What ends the send when the stream was closed long ago. */
    private volatile @Nullable Farewell farewell;

    /** A negated error number, or 0. Written before {@code inFlight} is cleared. */
    private int failure;

    /**
     * Of the stream with that descriptor.
     *
     * @param wholeSends whether the kernel goes on with a send by itself until all is sent
     */
    Outflow(int fd, boolean wholeSends) {
        this.fd = fd;
        this.wholeSends = wholeSends;
    }

    /** What the kernel is told of every send of the stream. */
    int flags() {
        return Libc.MSG_NOSIGNAL | (wholeSends ? Libc.MSG_WAITALL : 0);
    }

    @Override
    public long userData() {
        return userData;
    }

    @Override
    public void userData(long given) {
        userData = given;
    }

    /** Whether bytes are on their way. What a thread has put itself, or was told of, it sees here. */
    boolean isInFlight() {
        return inFlight;
    }

    /** The error that a send has ended with, as a negated number, or 0. To be asked when none is in flight. */
    int failure() {
        return failure;
    }

    /** Fails every later write. Called when the output was shut down or is broken, and nothing is in flight. */
    void shut() {
        failure = -Errno.EPIPE.number();
    }

    /** What {@link EndOfOutput} does, and its result. */
    int end() {
        if (ended) {
            return 0;
        }
        ended = true;
        if (!inFlight) {
            int before = failure;
            int result = shutOutput();
            return before < 0 ? before : result;
        }
        Put waiter = next;
        if (waiter != null) {
            next = null;
            waiter.complete(-Errno.EPIPE.number(), 0);
        }
        return 0;
    }

    private int shutOutput() {
        int result = Libc.shutdown(fd, Libc.SHUT_WR);
        if (failure == 0) {
            shut();
        }
        return Errno.ENOTCONN.is(result) ? 0 : result;
    }

    /** Takes a write, or lets it wait. */
    void put(Put put, UringDriver here) {
        if (evicted) {
            put.complete(-Errno.ECANCELED.number(), 0);
        } else if (ended) {
            put.complete(-Errno.EPIPE.number(), 0);
        } else if (inFlight) {
            next = put;
        } else if (failure < 0) {
            put.complete(failure, 0);
        } else {
            go(put, here);
        }
    }

    private void go(Put put, UringDriver here) {
        int count = put.length();
        if (count == 0) {
            put.complete(0, 0);
            return;
        }
        if (!take(put, count, here)) {
            if (count <= SendBuffers.SIZE || !here.admitsSendAtOnce() || !put.sendAtOnce()) {
                here.submit(put);
            }
            return;
        }
        length = count;
        try {
            here.submit(this);
        } catch (Throwable e) { // the bytes are still the writer's
            handBack(put, here);
            throw e;
        }
        IN_FLIGHT.setRelease(this, true);
        put.complete(count, 0);
    }

    /** Undoes {@link #take}. */
    private void handBack(Put put, UringDriver here) {
        Loan handed = loan;
        if (handed != null) {
            loan = null;
            put.handBack(handed);
        } else {
            here.sendBuffers().giveBack(unsent);
        }
    }

    /** Sees to it that the bytes stay until they are sent; or returns false. */
    private boolean take(Put put, int count, UringDriver here) {
        if (!wholeSends) {
            return false;
        }
        Loan handed = put.handOn();
        loan = handed;
        if (handed != null) {
            unsent = put.from(handed);
            return true;
        }
        long free = count <= SendBuffers.SIZE ? here.sendBuffers().take() : SendBuffers.NONE;
        if (free == SendBuffers.NONE) {
            return false;
        }
        try {
            put.copyTo(free);
        } catch (Throwable e) { // no memory
            here.sendBuffers().giveBack(free);
            throw e;
        }
        unsent = free;
        return true;
    }

    /**
     * Waits until the kernel has tried to send what is in flight, and lets the writer go who waits for its end. Called for a
     * closer who holds the descriptor open meanwhile.
     *
     * @return false if that could not be, for want of memory
     */
    boolean evict(Submitter submitter, Lane home) {
        return new Eviction(this, home).performUninterruptibly(submitter) == 0;
    }

    private void evicted() {
        evicted = true;
        Put waiter = next;
        if (waiter != null) {
            abandon(waiter);
        }
    }

    /** Goes through the kernel behind whatever was submitted before, and does nothing there. */
    private static final class Eviction extends UringOperation {
        private final Outflow outflow;
        private final Lane home;

        Eviction(Outflow outflow, Lane home) {
            this.outflow = outflow;
            this.home = home;
        }

        @Override
        protected Lane chooseLane(Submitter submitter) {
            return home;
        }

        @Override
        public void fill(Sqe sqe) {
            sqe.opcode(Abi.IORING_OP_NOP);
        }

        @Override
        public void completed(UringDriver driver, int result, int flags, boolean isLast) {
            outflow.evicted();
            super.completed(driver, result, flags, isLast);
        }
    }

    /**
     * Ends the send that is in flight, on behalf of a thread that has no ring, and waits for that: the entry may not have been
     * read, and names the descriptor.
     */
    void breakOff() {
        Libc.shutdownTersely(fd, Libc.SHUT_RDWR);
        while (inFlight) {
            LockSupport.parkNanos(MOMENT_NANOS);
        }
    }

    /**
     * Gives the bytes that are still on their way, when their stream was closed, a time to go out. A peer that reads nothing
     * would hold them for ever. Any thread may call it.
     */
    void limit(Lane home, long nanos) {
        Farewell limit = new Farewell(this, home);
        farewell = limit; // before the look at the send, whose end looks here
        Timers.arm(limit, System.nanoTime() + nanos);
        if (!inFlight) {
            limit.cancel();
        }
    }

    /** Ends a send whose stream was closed long ago. */
    private static final class Farewell extends Timer {
        private final Outflow outflow;
        private final Lane home;

        Farewell(Outflow outflow, Lane home) {
            this.outflow = outflow;
            this.home = home;
        }

        @Override
        protected void fire() {
            if (outflow.isInFlight()) {
                home.start(new Ending(outflow));
            }
        }
    }

    /** Ends a send, on the driver's thread. The kernel does not see it. */
    private static final class Ending extends UringOperation {
        private final Outflow outflow;

        Ending(Outflow outflow) {
            this.outflow = outflow;
        }

        @Override
        void begin(UringDriver driver) {
            driver.submitCancel(outflow);
        }

        @Override
        public void fill(Sqe sqe) {
            throw new IllegalStateException("it has no entry");
        }
    }

    /** The descriptor is about to be closed: what the kernel has goes on, and nothing is submitted again. */
    void close() {
        closed = true;
    }

    /** Lets a write go that waits no more. */
    void abandon(Put put) {
        if (next == put) {
            next = null;
            put.complete(-Errno.ECANCELED.number(), 0);
        }
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SEND).fd(fd).buffer(unsent, length).operationFlags(flags());
    }

    @Override
    public void completed(UringDriver here, int result, int flags, boolean isLast) {
        if (result > 0 && result < length && !closed) {
            unsent += result;
            length -= result;
            try {
                here.submit(this);
                return;
            } catch (Throwable e) {
                failure = -Errno.ENOMEM.number();
            }
        } else if (result < length) {
            failure = result < 0 ? result : -Errno.EPIPE.number();
        }
        letGo(here);
        if (ended && !closed) { // before it is out of flight: a closer without a ring waits for that
            Libc.shutdownTersely(fd, Libc.SHUT_WR); // what comes next must not fail: others wait for it
            if (failure == 0) {
                shut();
            }
        }
        IN_FLIGHT.setRelease(this, false);
        Farewell limit = farewell;
        if (limit != null) {
            limit.cancel();
        }
        Put waiter = next;
        if (waiter != null) {
            next = null;
            int run = waiter.run();
            try {
                put(waiter, here);
            } catch (Throwable e) { // no memory, and it is not its waiter that runs here
                waiter.fail(run);
            }
        }
    }

    private void letGo(UringDriver here) {
        Loan sentFrom = loan;
        if (sentFrom == null) {
            here.sendBuffers().giveBack(unsent);
            return;
        }
        loan = null;
        BufferRing ring = here.buffers();
        if (ring == null || !ring.takeBack(sentFrom)) {
            sentFrom.giveBack();
        }
    }
}
