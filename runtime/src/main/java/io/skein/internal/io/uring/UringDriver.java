package io.skein.internal.io.uring;

import io.skein.internal.io.ArrayQueue;
import io.skein.internal.io.Driver;
import io.skein.internal.io.Operation;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The driver of one worker on one ring.
 *
 * <p>Starting an operation only writes an entry into mapped memory. {@link #drive} makes one system call, which
 * submits what has gathered, runs the kernel's deferred work and, where there is nothing to do, sleeps; then it
 * completes what has finished. When there is nothing to submit and the kernel has nothing to tell, a drive that
 * may not sleep makes no system call at all.
 *
 * <p>A full submission queue is submitted on the spot. A full completion queue keeps its overflow in the kernel,
 * and the driver fetches it until the kernel says that no more is there. Neither is seen by an operation.
 */
final class UringDriver implements Driver, CompletionQueue.Consumer {
    /** The user data of entries whose completion nobody waits for. */
    private static final long NOBODY = 0;

    /** So many sends are made at once between two drives, before others on this worker get their turn. */
    private static final int SENDS_AT_ONCE = 16;

    private final Ring ring;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    private final Slots slots;
    private final WakeUp wakeUp;
    private final @Nullable BufferRing buffers;
    private final SendBuffers sendBuffers = new SendBuffers();

    /** The slab that the kernel was asked to know, or null when it was not asked yet, and what it said. */
    private @Nullable NativeBuffers slab;

    private boolean slabGranted;

    /** How many completions the last drive has found. */
    private int found;

    /** How many sends may still be made at once before the next drive. */
    private int sendsLeft;

    /** Whether the completion queue is being read. */
    private boolean draining;

    private final ArrayQueue<Request> putOffSubmits = new ArrayQueue<>();
    private final ArrayQueue<Request> putOffCancels = new ArrayQueue<>();

    /** What the last request has thrown that failed when it was told of its completion. */
    private @Nullable Throwable failure;

    /** Whether making room in the submission queue has completed operations, so that somebody can run. */
    private boolean completedEarly;

    /**
     * A driver for the calling thread.
     *
     * @param receiveBuffers how many buffers receives that stay armed may take; 0 for no such receives
     */
    UringDriver(int entries, int completionEntries, int receiveBuffers) throws IOException {
        this(entries, completionEntries, receiveBuffers, KernelFeature.SHARED_BUFFERS.isWanted());
    }

    /** As the other; says whether several receives may fill one buffer. */
    UringDriver(int entries, int completionEntries, int receiveBuffers, boolean shared) throws IOException {
        slots = new Slots(Math.max(4, entries));
        ring = Ring.open(entries, completionEntries);
        submissions = ring.submissions();
        completions = ring.completions();
        try {
            wakeUp = new WakeUp();
        } catch (IOException | RuntimeException | Error e) {
            ring.close();
            throw e;
        }
        try {
            buffers = receiveBuffers > 0 ? BufferRing.register(ring, receiveBuffers, shared) : null;
        } catch (RuntimeException | Error e) {
            ring.close();
            wakeUp.free();
            throw e;
        }
    }

    @Override
    public void start(Operation operation) {
        ((UringOperation) operation).begin(this);
    }

    @Override
    public void cancel(Operation operation) {
        ((UringOperation) operation).cancel(this);
    }

    /**
     * Hands a request to the kernel. What a completion asks for is put off until the completion queue is read: making
     * room for it might read that queue again, from inside. Nothing overtakes it: what closes a descriptor goes behind a send.
     *
     * <p>If it fails, for want of memory, the kernel does not see the request, and nothing has changed. One that was put off is told later,
     * by the result {@code -ENOMEM}.
     */
    void submit(Request request) {
        if (draining) {
            putOffSubmits.add(request);
            return;
        }
        if (!putOffSubmits.isEmpty()) { // making room outside of a drive has read the queue
            submitPutOff();
        }
        enqueue(request);
    }

    private void enqueue(Request request) {
        Sqe sqe = nextEntry();
        request.fill(sqe);
        long userData = slots.take(request);
        request.userData(userData);
        sqe.write(userData); // up to here it may fail, and nothing has happened
    }

    /** Asks the kernel to end a request, if it has it. */
    void submitCancel(Request request) {
        if (draining) {
            putOffCancels.add(request);
        } else if (has(request)) {
            enqueue(new Cancellation(request));
        }
    }

    /** As {@link #submitCancel}, when it has failed for want of memory: by the next drive. */
    void putOffCancel(Request request) {
        putOffCancels.add(request);
    }

    /** Reads the completion queue; what that asks for is put off. */
    private int drain() {
        draining = true;
        try {
            return completions.drain(this);
        } finally {
            draining = false;
        }
    }

    /** Hands over what was put off. It fails for none of them: who waits for it is elsewhere. */
    private void submitPutOff() {
        for (Request next = putOffSubmits.poll(); next != null; next = putOffSubmits.poll()) {
            try {
                enqueue(next);
            } catch (Throwable e) { // no memory: for a native buffer, say
                completed(next, -Errno.ENOMEM.number(), 0, true);
            }
        }
        for (Request next = putOffCancels.peek(); next != null; next = putOffCancels.peek()) {
            try {
                submitCancel(next);
            } catch (Throwable e) {
                return; // it stays for the next time
            }
            putOffCancels.poll();
        }
    }

    /** Takes back a request that was put off; returns whether it was. */
    boolean withdraw(Request request) {
        return putOffSubmits.remove(request);
    }

    Ring ring() {
        return ring;
    }

    Slots slots() {
        return slots;
    }

    boolean has(Request request) {
        return slots.find(request.userData()) == request;
    }

    /** Buffers for receives, or null when the kernel gave none. */
    @Nullable
    BufferRing buffers() {
        return buffers;
    }

    SendBuffers sendBuffers() {
        return sendBuffers;
    }

    /**
     * Whether the kernel knows the memory at an address. It is told of a slab when that is first used; if it refuses, for the
     * limit of locked memory say, it goes without.
     */
    boolean isRegistered(NativeBuffers pool, long address) {
        if (!pool.isInSlab(address)) {
            return false;
        }
        if (slab == null) {
            slab = pool;
            slabGranted = ring.registerMemory(pool.slab(), NativeBuffers.slabSize()) == 0;
        }
        return slab == pool && slabGranted;
    }

    private Sqe nextEntry() {
        Sqe sqe = submissions.next();
        while (sqe == null) {
            // Submitting makes room. Should the kernel refuse because completions pile up, completing them helps.
            enter(0, 0);
            completedEarly |= drain() > 0;
            sqe = submissions.next();
        }
        return sqe;
    }

    /**
     * Whether a send had better be a system call of its own than an entry of the ring: its writer seems to be the only one who is at work, so that it
     * would share the next enter with nobody, and it has not had the worker for long. Counts as one of those.
     */
    boolean admitsSendAtOnce() {
        if (found > 1 || submissions.pending() > 0 || draining || sendsLeft == 0) {
            return false;
        }
        sendsLeft--;
        return true;
    }

    @Override
    public void drive(long timeoutNanos) {
        completedEarly = false;
        sendsLeft = SENDS_AT_ONCE;
        if (buffers != null) {
            buffers.collect();
        }
        submitPutOff();
        boolean mayWait = armWakeUp() && putOffCancels.isEmpty();
        boolean sleep = mayWait && timeoutNanos > 0 && !completedEarly && completions.isEmpty();
        if (sleep || submissions.pending() > 0 || submissions.kernelHasMore()) {
            enter(sleep ? 1 : 0, timeoutNanos);
        }
        found = drain();
        while (submissions.overflown()) {
            enter(0, 0);
            drain();
        }
        submitPutOff();
        throwFailure();
    }

    private void throwFailure() {
        Throwable thrown = failure;
        failure = null;
        switch (thrown) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }

    /** Returns whether others can end a sleep. Without memory they cannot; then there is none. */
    private boolean armWakeUp() {
        if (wakeUp.isSpent()) {
            try {
                submit(wakeUp);
            } catch (Throwable e) {
                return false;
            }
            wakeUp.armed = true;
        }
        return true;
    }

    /**
     * Enters the kernel. An interrupted or timed out wait, a moment's lack of memory and a full completion queue all
     * have the same cure, to come again, which the worker's loop does; anything else is a defect of this driver.
     */
    private void enter(int minimum, long timeoutNanos) {
        int result = ring.enter(minimum, timeoutNanos);
        if (result < 0
                && !Errno.EINTR.is(result)
                && !Errno.ETIME.is(result)
                && !Errno.EAGAIN.is(result)
                && !Errno.EBUSY.is(result)) {
            throw new IllegalStateException("io_uring_enter: " + Errno.describe(-result));
        }
    }

    @Override
    public void complete(long userData, int result, int flags) {
        Request request = slots.find(userData);
        if (request != null) {
            boolean isLast = (flags & Abi.IORING_CQE_F_MORE) == 0;
            if (isLast) {
                slots.free(userData);
            }
            completed(request, result, flags, isLast);
        }
    }

    /** Tells a request of a completion. If it fails, those that come after it must hear of theirs. */
    private void completed(Request request, int result, int flags, boolean isLast) {
        try {
            request.completed(this, result, flags, isLast);
        } catch (RuntimeException | Error e) {
            failure = e; // told by the end of the drive
        }
    }

    @Override
    public long enters() {
        return ring.enters();
    }

    @Override
    public void wakeUp() {
        wakeUp.signal();
    }

    /** Nobody lives any more who waits for something: what is in flight was kept armed. */
    @Override
    public void close() {
        if (buffers == null) { // the kernel may be too old to be told once for all
            slots.forEach(request -> {
                if (!(request instanceof Cancellation)) {
                    submitCancel(request);
                }
            });
        } else {
            nextEntry()
                    .opcode(Abi.IORING_OP_ASYNC_CANCEL)
                    .fd(-1)
                    .operationFlags(Abi.IORING_ASYNC_CANCEL_ANY | Abi.IORING_ASYNC_CANCEL_ALL)
                    .write(NOBODY);
        }
        while (slots.taken() > 0) {
            enter(1, FOREVER);
            drain();
        }
        for (Request next = putOffSubmits.poll(); next != null; next = putOffSubmits.poll()) {
            completed(next, -Errno.ECANCELED.number(), 0, true);
        }
        ring.close(); // what it could write to is freed after
        wakeUp.free();
        sendBuffers.free();
    }

    /** A read of the eventfd that other threads write to; kept in the ring so that they can end its sleep. */
    private static final class WakeUp implements Request {
        private final int eventfd;
        private final long counter;
        private long userData;
        private boolean armed;

        WakeUp() throws IOException {
            counter = Libc.allocate(Long.BYTES);
            eventfd = Libc.eventfd();
            if (eventfd < 0) {
                Libc.free(counter);
                throw new IOException("eventfd: " + Errno.describe(-eventfd));
            }
        }

        @Override
        public long userData() {
            return userData;
        }

        @Override
        public void userData(long given) {
            userData = given;
        }

        boolean isSpent() {
            return !armed;
        }

        @Override
        public void completed(UringDriver driver, int result, int flags, boolean isLast) {
            armed = false; // armed again by the next drive
        }

        @Override
        public void fill(Sqe sqe) {
            sqe.opcode(Abi.IORING_OP_READ).fd(eventfd).buffer(counter, Long.BYTES);
        }

        void signal() {
            Libc.signalEventfd(eventfd);
        }

        void free() {
            Libc.close(eventfd);
            Libc.free(counter);
        }
    }
}
