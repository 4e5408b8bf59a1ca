package io.skein.internal.io.uring;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * An io_uring instance: its mapped queues and the one system call that drives them.
 *
 * <p>Only the thread that opened it uses it; the kernel refuses others. Nothing here knows what the entries mean.
 */
public final class Ring implements AutoCloseable {
    private static final MethodHandle SYSCALL = Libc.terseSyscall();
    private static final VarHandle ENTERS;

    static {
        try {
            ENTERS = MethodHandles.lookup().findVarHandle(Ring.class, "enters", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where things stand in the scratch block: the wait argument, its timespec, and what a registration needs. */
    private static final int WAIT_ARGUMENT = 0;

    private static final int WAIT_ARGUMENT_SIZE = 24;
    private static final int TIMESPEC = 24;
    private static final int UPDATE = 40;
    private static final int SCRATCH_SIZE = 56;

    private final int fd;
    private final int features;
    private final int setupFlags;
    private final long ringAddress;
    private final long ringSize;
    private final long entriesAddress;
    private final long entriesSize;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;

    /** Memory for the arguments of {@link #enter}. Not of an arena: virtual threads on this thread use it too. */
    private final long scratch;

    /** What names the ring to {@code io_uring_enter}: its descriptor, or its index among the registered ones. */
    private long enterFd;

    private int enterFlags;

    /** How often the kernel was entered. Written by the ring's thread. */
    private long enters;

    /**
     * Opens a ring for the calling thread.
     *
     * @param entries the size of the submission queue
     * @param completionEntries the size of the completion queue
     */
    public static Ring open(int entries, int completionEntries) throws IOException {
        long parameters = Libc.allocate(Abi.PARAMS_SIZE);
        try {
            int fd = RingSetup.open(entries, completionEntries, parameters);
            try {
                return new Ring(fd, parameters);
            } catch (IOException | RuntimeException | Error e) {
                Libc.close(fd);
                throw e;
            }
        } finally {
            Libc.free(parameters);
        }
    }

    private Ring(int fd, long parameters) throws IOException {
        this.fd = fd;
        this.features = Memory.plainInt(parameters + Abi.PARAMS_FEATURES);
        this.setupFlags = Memory.plainInt(parameters + Abi.PARAMS_FLAGS);
        int entries = Memory.plainInt(parameters + Abi.PARAMS_SQ_ENTRIES);
        int completionEntries = Memory.plainInt(parameters + Abi.PARAMS_CQ_ENTRIES);
        long submissionOffsets = parameters + Abi.PARAMS_SQ_OFF;
        long completionOffsets = parameters + Abi.PARAMS_CQ_OFF;
        boolean indexArray = (setupFlags & Abi.IORING_SETUP_NO_SQARRAY) == 0;

        long submissionEnd = indexArray ? Memory.plainInt(submissionOffsets + Abi.OFF_SQ_ARRAY) + 4L * entries : 0;
        long completionEnd =
                Memory.plainInt(completionOffsets + Abi.OFF_CQES) + (long) Abi.CQE_SIZE * completionEntries;
        this.ringSize = Math.max(submissionEnd, completionEnd);
        this.ringAddress = map(fd, ringSize, Abi.IORING_OFF_SQ_RING);
        this.entriesSize = (long) Abi.SQE_SIZE * entries;
        try {
            this.entriesAddress = map(fd, entriesSize, Abi.IORING_OFF_SQES);
        } catch (IOException | RuntimeException | Error e) {
            Libc.unmap(ringAddress, ringSize);
            throw e;
        }
        try {
            this.submissions = new SubmissionQueue(ringAddress, submissionOffsets, entriesAddress, entries, indexArray);
            this.completions = new CompletionQueue(ringAddress, completionOffsets, completionEntries);
            this.scratch = Libc.allocate(SCRATCH_SIZE);
        } catch (RuntimeException | Error e) { // no memory
            Libc.unmap(ringAddress, ringSize);
            Libc.unmap(entriesAddress, entriesSize);
            throw e;
        }
        Memory.plainLong(scratch + WAIT_ARGUMENT + 16, scratch + TIMESPEC); // its "ts" field
        this.enterFd = fd;
        this.enterFlags = hasFeature(Abi.IORING_FEAT_NO_IOWAIT) && KernelFeature.NO_IOWAIT.isWanted()
                ? Abi.IORING_ENTER_NO_IOWAIT
                : 0;
        registerOwnDescriptor();
    }

    private static long map(int fd, long size, long offset) throws IOException {
        long address = Libc.map(fd, size, offset);
        if (address < 0 && address > -4096) {
            throw new IOException("mmap of an io_uring: " + Errno.describe((int) -address));
        }
        return address;
    }

    /** Spares the kernel the look-up of the descriptor at each enter; a kernel before 5.18 goes on without. */
    private void registerOwnDescriptor() {
        long update = scratch + UPDATE;
        Memory.plainInt(update, -1); // any free index
        Memory.plainLong(update + 8, fd);
        if (KernelFeature.REGISTERED_RING.isWanted() && register(Abi.IORING_REGISTER_RING_FDS, update, 1) == 1) {
            enterFd = Memory.plainInt(update);
            enterFlags |= Abi.IORING_ENTER_REGISTERED_RING;
        }
    }

    /** A registered descriptor is a reference of its own: with it left, closing the other would not end the ring. */
    private void unregisterOwnDescriptor() {
        if (hasRegisteredDescriptor()) {
            long update = scratch + UPDATE;
            Memory.plainInt(update, (int) enterFd);
            Memory.plainLong(update + 8, 0);
            try {
                long ignored = (long) SYSCALL.invokeExact( // by the handle, because it takes no memory
                        Abi.SYS_IO_URING_REGISTER,
                        (long) fd,
                        (long) Abi.IORING_UNREGISTER_RING_FDS,
                        update,
                        1L,
                        0L,
                        0L);
            } catch (Error e) {
                throw e;
            } catch (Throwable e) {
                throw Libc.broken(e);
            }
        }
    }

    public int fd() {
        return fd;
    }

    public SubmissionQueue submissions() {
        return submissions;
    }

    public CompletionQueue completions() {
        return completions;
    }

    boolean hasFeature(int feature) {
        return (features & feature) != 0;
    }

    boolean hasRegisteredDescriptor() {
        return (enterFlags & Abi.IORING_ENTER_REGISTERED_RING) != 0;
    }

    List<String> setupFlagNames() {
        return RingSetup.setupFlagNames(setupFlags);
    }

    /**
     * Submits everything pending, runs the kernel's deferred work, and waits for {@code minimum} completions.
     *
     * @param timeoutNanos the longest wait; {@link Long#MAX_VALUE} for no bound
     * @return how many entries the kernel took, or a negated error number
     */
    public int enter(int minimum, long timeoutNanos) {
        submissions.publish();
        if (minimum == 0 || timeoutNanos == Long.MAX_VALUE) {
            long result = enter(minimum, 0, 0, 0);
            return result < 0 ? enterAgain() : (int) result;
        }
        Memory.plainLong(scratch + TIMESPEC, timeoutNanos / 1_000_000_000L);
        Memory.plainLong(scratch + TIMESPEC + 8, timeoutNanos % 1_000_000_000L);
        long begun = System.nanoTime();
        long result = enter(minimum, Abi.IORING_ENTER_EXT_ARG, scratch + WAIT_ARGUMENT, WAIT_ARGUMENT_SIZE);
        if (result < 0) {
            return System.nanoTime() - begun >= timeoutNanos ? -Errno.ETIME.number() : enterAgain();
        }
        return (int) result;
    }

    /** Answers -1 for a failure of whatever kind. */
    private long enter(int minimum, int moreFlags, long argument, long argumentSize) {
        countEnter();
        try {
            long pending = submissions.pending();
            return (long) SYSCALL.invokeExact(
                    Abi.SYS_IO_URING_ENTER,
                    enterFd,
                    pending,
                    (long) minimum,
                    (long) (enterFlags | Abi.IORING_ENTER_GETEVENTS | moreFlags),
                    argument,
                    argumentSize);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.broken(e);
        }
    }

    /**
     * Asks why an enter has failed: by another one, which does not wait. A call that fails has taken no entry, so this one
     * fails alike, or it does the work.
     */
    private int enterAgain() {
        countEnter();
        int flags = enterFlags | Abi.IORING_ENTER_GETEVENTS;
        return (int) Libc.syscall(Abi.SYS_IO_URING_ENTER, enterFd, submissions.pending(), 0, flags, 0, 0);
    }

    private void countEnter() {
        ENTERS.setOpaque(this, enters + 1); // costs what a plain store does
    }

    /** How often the kernel was entered. Any thread may ask. */
    long enters() {
        return (long) ENTERS.getOpaque(this);
    }

    /** Calls {@code io_uring_register}. */
    public int register(int what, long argument, int count) {
        return (int) Libc.syscall(Abi.SYS_IO_URING_REGISTER, fd, what, argument, count, 0, 0);
    }

    /** Makes memory known to the kernel, as number 0; returns 0 or a negated error number. */
    int registerMemory(long address, long size) {
        Memory.plainLong(scratch + UPDATE, address);
        Memory.plainLong(scratch + UPDATE + 8, size);
        return register(Abi.IORING_REGISTER_BUFFERS, scratch + UPDATE, 1);
    }

    /** Gives the ring back; takes no memory. Nothing is in flight by then: the kernel takes a ring apart at its leisure. */
    @Override
    public void close() {
        unregisterOwnDescriptor();
        Libc.close(fd);
        Libc.unmap(ringAddress, ringSize);
        Libc.unmap(entriesAddress, entriesSize);
        Libc.free(scratch);
    }
}
