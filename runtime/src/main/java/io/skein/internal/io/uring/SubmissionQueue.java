package io.skein.internal.io.uring;

import io.skein.internal.linux.Memory;
import org.jspecify.annotations.Nullable;

/**
 * The ring through which entries go to the kernel.
 *
 * <p>Only the ring's own thread uses it. This side owns the tail, the kernel owns the head. Entries between the
 * two belong to the kernel once the tail is published, which {@link #publish} does just before the system call.
 */
public final class SubmissionQueue {
    private final long headAddress;
    private final long tailAddress;
    private final long flagsAddress;
    private final long entriesAddress;
    private final int capacity;
    private final Sqe sqe = new Sqe(this);

    /** The tail as this side has filled it; the kernel sees it after {@link #publish}. */
    private int tail;

    SubmissionQueue(long ring, long offsets, long entriesAddress, int capacity, boolean indexArray) {
        this.headAddress = ring + Memory.plainInt(offsets + Abi.OFF_HEAD);
        this.tailAddress = ring + Memory.plainInt(offsets + Abi.OFF_TAIL);
        this.flagsAddress = ring + Memory.plainInt(offsets + Abi.OFF_SQ_FLAGS);
        this.entriesAddress = entriesAddress;
        this.capacity = capacity;
        this.tail = Memory.plainInt(tailAddress);
        if (indexArray) {
            long array = ring + Memory.plainInt(offsets + Abi.OFF_SQ_ARRAY);
            for (int i = 0; i < capacity; i++) {
                Memory.plainInt(array + 4L * i, i);
            }
        }
    }

    /** The next free entry, to be filled and {@linkplain Sqe#write written}; null when the kernel has not taken the oldest yet. */
    public @Nullable Sqe next() {
        if (pending() == capacity) {
            return null;
        }
        return sqe.begin(entriesAddress + (long) (tail & capacity - 1) * Abi.SQE_SIZE);
    }

    /** Notes that the entry which was handed out is there. */
    void written() {
        tail++;
    }

    /** How many entries the kernel has not taken yet. */
    public int pending() {
        return tail - Memory.acquireInt(headAddress);
    }

    /** Lets the kernel see every filled entry: the release orders their contents before the tail. */
    void publish() {
        Memory.releaseInt(tailAddress, tail);
    }

    /** Whether the kernel has completions that only a system call can bring: deferred work, or an overflow. */
    public boolean kernelHasMore() {
        return (Memory.opaqueInt(flagsAddress) & (Abi.IORING_SQ_TASKRUN | Abi.IORING_SQ_CQ_OVERFLOW)) != 0;
    }

    /** Whether completions wait in the kernel because the completion queue was full. */
    public boolean overflown() {
        return (Memory.opaqueInt(flagsAddress) & Abi.IORING_SQ_CQ_OVERFLOW) != 0;
    }
}
