package io.skein.internal.io.uring;

import io.skein.internal.linux.Memory;

/**
 * A view of one submission queue entry, moved from entry to entry.
 *
 * <p>Only the ring's own thread uses it. {@link SubmissionQueue#next} hands it out zeroed; an operation sets what
 * it needs. What this class offers is what the kernel's entry has: {@code struct io_uring_sqe}.
 */
public final class Sqe {
    private static final int OPCODE = 0;
    private static final int FLAGS = 1;
    private static final int IOPRIO = 2;
    private static final int FD = 4;
    private static final int OFFSET = 8;
    private static final int ADDRESS = 16;
    private static final int LENGTH = 24;
    private static final int OPERATION_FLAGS = 28;
    private static final int USER_DATA = 32;
    private static final int BUFFER_GROUP = 40;
    private static final int SPLICE_FD_IN = 44;

    private long address;

    Sqe() {}

    /** Moves to the entry at {@code address} and clears it. */
    Sqe moveTo(long address) {
        this.address = address;
        for (int word = 0; word < Abi.SQE_SIZE; word += Long.BYTES) {
            Memory.plainLong(address + word, 0);
        }
        return this;
    }

    public Sqe opcode(byte opcode) {
        Memory.plainByte(address + OPCODE, opcode);
        return this;
    }

    /** The {@code IOSQE_*} flags. */
    public Sqe flags(int flags) {
        Memory.plainByte(address + FLAGS, (byte) flags);
        return this;
    }

    /** The {@code ioprio} field, which receive, send and accept use for flags of their own. */
    public Sqe priority(int flags) {
        Memory.plainShort(address + IOPRIO, (short) flags);
        return this;
    }

    public Sqe fd(int fd) {
        Memory.plainInt(address + FD, fd);
        return this;
    }

    /** The file offset, or the second address of operations that have two. */
    public Sqe offset(long offset) {
        Memory.plainLong(address + OFFSET, offset);
        return this;
    }

    /** An address and a length; some operations keep other numbers in their place. */
    public Sqe buffer(long buffer, int length) {
        Memory.plainLong(address + ADDRESS, buffer);
        Memory.plainInt(address + LENGTH, length);
        return this;
    }

    /** The field that each operation reads in its own way: message flags, accept flags, cancel flags. */
    public Sqe operationFlags(int flags) {
        Memory.plainInt(address + OPERATION_FLAGS, flags);
        return this;
    }

    public Sqe bufferGroup(int group) {
        Memory.plainShort(address + BUFFER_GROUP, (short) group);
        return this;
    }

    /** The descriptor that a splice takes from. */
    public Sqe spliceFrom(int fd) {
        Memory.plainInt(address + SPLICE_FD_IN, fd);
        return this;
    }

    public Sqe userData(long userData) {
        Memory.plainLong(address + USER_DATA, userData);
        return this;
    }
}
