package io.skein.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runnable coroutines of one worker: a bounded ring that its owner pushes to and pops from, and that thieves take
 * half of. This is the owner's view, for the owner's thread only; {@link #thief} is everybody else's.
 *
 * <p>Three indices run around the ring, each only ever growing (and wrapping as ints do):
 *
 * <pre>
 *   steal &lt;= real &lt;= tail &lt;= steal + capacity
 *
 *   [steal, real)   being copied by a thief
 *   [real, tail)    runnable
 *   the rest        free
 * </pre>
 *
 * <p>{@code steal} and {@code real} are the halves of one 64-bit word, {@code heads}, so that one compare-and-set moves
 * both. {@code tail} is written by the owner alone.
 *
 * <ul>
 *   <li>Owner's pop: {@code real + 1}, and {@code steal + 1} with it when no thief is copying.
 *   <li>Thief's claim: {@code real + n} with {@code steal} left behind: the gap tells that a thief is copying, and at
 *       most one is. The claimed slots cannot be overwritten, for the owner counts free slots from {@code steal}.
 *   <li>Thief's release: {@code steal = real}, wherever pops have moved {@code real} by then.
 *   <li>Owner's push: fills the slot, then releases {@code tail}. A thief acquires {@code tail} before it reads slots.
 *   <li>Overflow: the ring is full and nobody is copying: the owner claims the older half for itself by moving both
 *       heads, and hands it on with the new one, in order. When a thief is copying, room is coming: only the new one
 *       goes on. An overflow that finds no memory takes nothing: the older half goes back into the ring, and the push
 *       fails without having queued the new one.
 * </ul>
 *
 * <p>A head that was read can come again only after {@code 2^32} operations, so a compare-and-set that succeeds has seen
 * no change.
 */
final class RunQueue {
    private static final VarHandle HEADS;
    private static final VarHandle TAIL;
    private static final VarHandle SPILLS;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Runnable[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEADS = lookup.findVarHandle(RunQueue.class, "heads", long.class);
            TAIL = lookup.findVarHandle(RunQueue.class, "tail", int.class);
            SPILLS = lookup.findVarHandle(RunQueue.class, "spills", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Takes what does not fit: all that it is given, or nothing if it throws. */
    interface Overflow {
        void take(Runnable runnable);

        /** Takes several at once, oldest first. */
        void takeAll(List<Runnable> runnables);
    }

    private final @Nullable Runnable[] slots;

    /** What is on its way to the overflow; made beforehand, because a full heap is no reason to lose what was claimed. */
    private final Runnable[] spilled;

    private final List<Runnable> spilledView;
    private final int mask;
    private final Overflow overflow;
    private final boolean shared;
    private final Thief thief = new Thief();

    /** How often the queue was full; only the owner writes it. */
    @SuppressWarnings("UnusedVariable") // through SPILLS
    private volatile long spills;

    @SuppressWarnings("UnusedVariable") // through HEADS
    private volatile long heads;

    @SuppressWarnings("UnusedVariable") // through TAIL
    private volatile int tail;

    /**
     * An empty queue.
     *
     * @param capacity how many it holds; a power of two, at least 2
     */
    RunQueue(int capacity, Overflow overflow) {
        this(capacity, overflow, true);
    }

    /**
     * An empty queue.
     *
     * @param capacity how many it holds; a power of two, at least 2
     * @param shared whether there are thieves; without them the owner's moves need not be atomic
     */
    RunQueue(int capacity, Overflow overflow, boolean shared) {
        if (capacity < 2 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity: " + capacity + "; it must be a power of two from 2");
        }
        this.slots = new Runnable[capacity];
        this.spilled = new Runnable[capacity / 2 + 1];
        this.spilledView = Arrays.asList(spilled);
        this.mask = capacity - 1;
        this.overflow = overflow;
        this.shared = shared;
    }

    /** The view for other workers. */
    Thief thief() {
        return thief;
    }

    /** Queues one. If that fails, for want of memory, it is not queued, and nothing else has changed but the order. */
    void push(Runnable runnable) {
        while (true) {
            long seen = acquireHeads();
            if (plainTail() - steal(seen) < slots.length) {
                append(runnable);
                return;
            }
            if (steal(seen) != real(seen)) {
                SPILLS.setOpaque(this, spills() + 1);
                overflow.take(runnable);
                return;
            }
            if (spillHalf(seen, runnable)) {
                return;
            }
            // A thief came in between: there is room now, or will be.
        }
    }

    private boolean spillHalf(long seen, Runnable last) {
        int half = slots.length / 2;
        int first = real(seen);
        if (!advanceHeads(seen, heads(first + half, first + half))) {
            return false;
        }
        for (int i = 0; i < half; i++) {
            spilled[i] = takeSlot(first + i);
        }
        spilled[half] = last;
        try {
            SPILLS.setOpaque(this, spills() + 1);
            overflow.takeAll(spilledView);
        } catch (Throwable e) { // it took nothing, and there is room for those that were here before
            for (int i = 0; i < half; i++) {
                append(spilled[i]);
            }
            throw e;
        } finally {
            Arrays.fill(spilled, null); // or it would keep them reachable
        }
        return true;
    }

    /** Adds one at the end, where there is room. */
    private void append(Runnable runnable) {
        int end = plainTail();
        SLOT.setOpaque(slots, end & mask, runnable);
        releaseTail(end + 1);
    }

    @Nullable
    Runnable pop() {
        while (true) {
            long seen = acquireHeads();
            int first = real(seen);
            if (first == plainTail()) {
                return null;
            }
            boolean copying = steal(seen) != first;
            if (advanceHeads(seen, heads(copying ? steal(seen) : first + 1, first + 1))) {
                return takeSlot(first);
            }
        }
    }

    int size() {
        return plainTail() - real(acquireHeads());
    }

    boolean isEmpty() {
        return size() == 0;
    }

    /** How many more fit in, at least. */
    int room() {
        return slots.length - (plainTail() - steal(acquireHeads()));
    }

    int capacity() {
        return slots.length;
    }

    /** How often the queue was full. Any thread may ask. */
    long spills() {
        return (long) SPILLS.getOpaque(this);
    }

    /** The view of a worker that wants some. Any thread may call it. */
    final class Thief {
        private Thief() {}

        /** How many there were at some moment during the call. */
        int size() {
            long seen = acquireHeads();
            return Math.clamp((long) acquireTail() - real(seen), 0, slots.length); // the two need not belong together
        }

        /**
         * Moves half of the runnables, rounded up, to the thief's own queue, and returns the newest of them instead of
         * moving it.
         *
         * @return one to run, or null when there was none or another thief was at work
         */
        @Nullable
        Runnable stealHalfInto(RunQueue mine) {
            int count = claim(mine.room());
            if (count == 0) {
                return null;
            }
            int first = steal(acquireHeads()); // stays until release
            int end = mine.plainTail();
            for (int i = 0; i < count - 1; i++) {
                SLOT.setOpaque(mine.slots, (end + i) & mine.mask, takeSlot(first + i));
            }
            Runnable newest = takeSlot(first + count - 1);
            release();
            mine.releaseTail(end + count - 1);
            return newest;
        }

        /**
         * Takes one.
         *
         * @return null when there was none, another thief was at work, or the queue is not made for thieves
         */
        @Nullable
        Runnable stealOne() {
            if (!shared || claim(0) == 0) {
                return null;
            }
            Runnable oldest = takeSlot(steal(acquireHeads())); // stays until release
            release();
            return oldest;
        }

        /** Moves the real head over half of the runnables and leaves the steal head behind. */
        private int claim(int room) {
            while (true) {
                long seen = acquireHeads();
                int first = real(seen);
                if (steal(seen) != first) {
                    return 0; // somebody else is copying
                }
                int available = acquireTail() - first;
                int count = Math.min(available - available / 2, room + 1);
                if (count <= 0) {
                    return 0;
                }
                if (casHeads(seen, heads(first, first + count))) {
                    return count;
                }
            }
        }

        /** Lets the owner have the copied slots again. */
        private void release() {
            while (true) {
                long seen = acquireHeads();
                if (casHeads(seen, heads(real(seen), real(seen)))) {
                    return;
                }
            }
        }
    }

    /** Empties a slot that belongs to the caller, so that the ring keeps no finished coroutine reachable. */
    private Runnable takeSlot(int index) {
        Runnable runnable = (Runnable) SLOT.getOpaque(slots, index & mask);
        SLOT.setOpaque(slots, index & mask, null);
        return runnable;
    }

    private static long heads(int steal, int real) {
        return ((long) steal << 32) | (real & 0xffff_ffffL);
    }

    private static int steal(long heads) {
        return (int) (heads >>> 32);
    }

    private static int real(long heads) {
        return (int) heads;
    }

    private long acquireHeads() {
        return (long) HEADS.getAcquire(this);
    }

    private boolean casHeads(long expected, long next) {
        return HEADS.compareAndSet(this, expected, next);
    }

    /** The owner's step, which only a thief can make fail. */
    private boolean advanceHeads(long expected, long next) {
        if (shared) {
            return casHeads(expected, next);
        }
        HEADS.setOpaque(this, next);
        return true;
    }

    private int plainTail() {
        return (int) TAIL.get(this);
    }

    private int acquireTail() {
        return (int) TAIL.getAcquire(this);
    }

    private void releaseTail(int next) {
        TAIL.setRelease(this, next);
    }
}
