package io.skein.internal.io.uring;

import io.skein.internal.linux.Memory;

/**
 * One submission queue entry, as it is being filled; used again for each.
 *
 * <p>Only the ring's own thread uses it. {@link SubmissionQueue#next} hands it out cleared; an operation sets what
 * it needs, and {@link #write} puts it where the kernel reads it. That is done in a few whole words, for each access to such memory
 * is much for the compiler to inline. Until then nothing has happened, so an operation that fails to fill it leaves nothing behind.
 * What this class offers is what the kernel's entry has: {@code struct io_uring_sqe}.
 */
public final class Sqe {
    // Where the words are that it is written in, after the first.
    private static final int OFFSET = 8;
    private static final int ADDRESS = 16;
    private static final int LENGTH_AND_OPERATION_FLAGS = 24;
    private static final int USER_DATA = 32;
    private static final int GROUP_AND_SPLICE_FD = 40;

    private final SubmissionQueue queue;

    /** Where it will be written. */
    private long target;

    private byte opcode;
    private byte flags;
    private short priority;
    private int fd;
    private long offset;
    private long buffer;
    private int length;
    private int operationFlags;
    private short group;
    private int spliceFd;

    Sqe(SubmissionQueue queue) {
        this.queue = queue;
    }

    /** Begins an entry that will be written to an address. */
    Sqe begin(long address) {
        target = address;
        opcode = 0;
        flags = 0;
        priority = 0;
        fd = 0;
        offset = 0;
        buffer = 0;
        length = 0;
        operationFlags = 0;
        group = 0;
        spliceFd = 0;
        return this;
    }

    public Sqe opcode(byte value) {
        opcode = value;
        return this;
    }

    /** The {@code IOSQE_*} flags. */
    public Sqe flags(int value) {
        flags = (byte) value;
        return this;
    }

    /** The {@code ioprio} field, which receive, send and accept use for flags of their own. */
    public Sqe priority(int value) {
        priority = (short) value;
        return this;
    }

    public Sqe fd(int value) {
        fd = value;
        return this;
    }

    /** The file offset, or the second address of operations that have two. */
    public Sqe offset(long value) {
        offset = value;
        return this;
    }

    /** An address and a length; some operations keep other numbers in their place. */
    public Sqe buffer(long address, int size) {
        buffer = address;
        length = size;
        return this;
    }

    /** The field that each operation reads in its own way: message flags, accept flags, cancel flags. */
    public Sqe operationFlags(int value) {
        operationFlags = value;
        return this;
    }

    public Sqe bufferGroup(int value) {
        group = (short) value;
        return this;
    }

    /** The descriptor that a splice takes from. */
    public Sqe spliceFrom(int value) {
        spliceFd = value;
        return this;
    }

    /** Adds the entry to the queue, with what its completions will carry. Its last two words are 0 from the start, and stay so. */
    public void write(long userData) {
        Memory.plainLong(
                target,
                Byte.toUnsignedLong(opcode)
                        | Byte.toUnsignedLong(flags) << 8
                        | Short.toUnsignedLong(priority) << 16
                        | (long) fd << 32);
        Memory.plainLong(target + OFFSET, offset);
        Memory.plainLong(target + ADDRESS, buffer);
        Memory.plainLong(target + LENGTH_AND_OPERATION_FLAGS, ints(length, operationFlags));
        Memory.plainLong(target + USER_DATA, userData);
        Memory.plainLong(target + GROUP_AND_SPLICE_FD, ints(Short.toUnsignedInt(group), spliceFd));
        queue.written();
    }

    /** Two ints as one word. Both architectures that have a ring are little-endian. */
    private static long ints(int first, int second) {
        return Integer.toUnsignedLong(first) | (long) second << 32;
    }
}
