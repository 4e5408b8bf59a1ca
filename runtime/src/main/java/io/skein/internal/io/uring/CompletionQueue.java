package io.skein.internal.io.uring;

import io.skein.internal.linux.Memory;

/**
 * The ring through which completions come from the kernel.
 *
 * <p>Only the ring's own thread uses it. The kernel owns the tail, this side owns the head. The head is published
 * once per batch, after the last entry of it was read.
 */
public final class CompletionQueue {
    /** Takes one completion. */
    @FunctionalInterface
    public interface Consumer {
        void complete(long userData, int result, int flags);
    }

    private final long headAddress;
    private final long tailAddress;
    private final long entriesAddress;
    private final int mask;

    CompletionQueue(long ring, long offsets, int capacity) {
        this.headAddress = ring + Memory.plainInt(offsets + Abi.OFF_HEAD);
        this.tailAddress = ring + Memory.plainInt(offsets + Abi.OFF_TAIL);
        this.entriesAddress = ring + Memory.plainInt(offsets + Abi.OFF_CQES);
        this.mask = capacity - 1;
    }

    public boolean isEmpty() {
        return Memory.plainInt(headAddress) == Memory.acquireInt(tailAddress);
    }

    /**
     * Hands over what is there now; what arrives meanwhile waits for the next call.
     *
     * @return how many
     */
    public int drain(Consumer consumer) {
        int head = Memory.plainInt(headAddress);
        int tail = Memory.acquireInt(tailAddress); // the entries up to here are readable
        int next = head;
        try {
            while (next != tail) {
                long entry = entriesAddress + (long) (next & mask) * Abi.CQE_SIZE;
                next++; // first: one whose consumer fails is not read again
                long resultAndFlags = Memory.plainLong(entry + Abi.CQE_RESULT_AND_FLAGS);
                consumer.complete(Memory.plainLong(entry + Abi.CQE_USER_DATA), (int) resultAndFlags, (int)
                        (resultAndFlags >>> 32));
            }
        } finally {
            if (head != next) {
                Memory.releaseInt(headAddress, next); // the kernel may overwrite what was read
            }
        }
        return tail - head;
    }
}
