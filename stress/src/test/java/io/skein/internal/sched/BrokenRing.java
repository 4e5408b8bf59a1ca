package io.skein.internal.sched;

import io.skein.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** {@link RunQueue} without one of its guards. */
final class BrokenRing implements Ring {
    /** What is missing. */
    enum Flaw {
        POP_WITHOUT_COMPARE_AND_SET,
        SPILL_WITHOUT_COMPARE_AND_SET,
        RELEASE_BEFORE_COPY,
        ROOM_COUNTED_FROM_REAL_HEAD,
        SECOND_THIEF_LET_IN
    }

    private final Flaw flaw;
    private final RunQueue.Overflow overflow;
    private final int capacity;
    private final AtomicReferenceArray<@Nullable Runnable> slots;
    private final AtomicLong heads = new AtomicLong();
    private volatile int tail;
    private final Window window = new Window();

    BrokenRing(Flaw flaw, int capacity, RunQueue.Overflow overflow) {
        this.flaw = flaw;
        this.overflow = overflow;
        this.capacity = capacity;
        this.slots = new AtomicReferenceArray<>(capacity);
    }

    @Override
    public void push(Runnable runnable) {
        while (true) {
            long seen = heads.get();
            int end = tail;
            int start = flaw == Flaw.ROOM_COUNTED_FROM_REAL_HEAD ? real(seen) : steal(seen);
            if (end - start < capacity) {
                slots.set(end & (capacity - 1), runnable);
                tail = end + 1;
                return;
            }
            if (steal(seen) != real(seen)) {
                overflow.take(runnable);
                return;
            }
            int first = real(seen);
            int half = capacity / 2;
            if (move(Flaw.SPILL_WITHOUT_COMPARE_AND_SET, seen, heads(first + half, first + half))) {
                List<Runnable> spilled = new ArrayList<>();
                for (int i = first; i != first + half; i++) {
                    Runnable next = takeSlot(i);
                    if (next != null) {
                        spilled.add(next);
                    }
                }
                spilled.add(runnable);
                overflow.takeAll(spilled);
                return;
            }
        }
    }

    @Override
    public @Nullable Runnable pop() {
        while (true) {
            long seen = heads.get();
            int first = real(seen);
            if (first == tail) {
                return null;
            }
            int steal = steal(seen) != first ? steal(seen) : first + 1;
            if (move(Flaw.POP_WITHOUT_COMPARE_AND_SET, seen, heads(steal, first + 1))) {
                return takeSlot(first);
            }
        }
    }

    @Override
    public @Nullable Runnable stealHalfInto(Ring mine) {
        int count = claim();
        if (count <= 0) {
            return null;
        }
        int first;
        if (flaw == Flaw.RELEASE_BEFORE_COPY) {
            first = steal(heads.get());
            release();
            window.open();
        } else {
            window.open();
            first = steal(heads.get());
        }
        for (int i = 0; i < count - 1; i++) {
            Runnable next = takeSlot(first + i);
            if (next != null) {
                mine.push(next);
            }
        }
        Runnable newest = takeSlot(first + count - 1);
        if (flaw != Flaw.RELEASE_BEFORE_COPY) {
            release();
        }
        return newest;
    }

    private int claim() {
        while (true) {
            long seen = heads.get();
            int first = real(seen);
            if (steal(seen) != first && flaw != Flaw.SECOND_THIEF_LET_IN) {
                return 0;
            }
            int available = tail - first;
            int count = available - available / 2;
            if (count <= 0 || heads.compareAndSet(seen, heads(first, first + count))) {
                return count;
            }
        }
    }

    private void release() {
        heads.updateAndGet(seen -> heads(real(seen), real(seen)));
    }

    private boolean move(Flaw unguarded, long seen, long next) {
        if (flaw == unguarded) {
            window.open();
            heads.set(next);
            return true;
        }
        return heads.compareAndSet(seen, next);
    }

    private @Nullable Runnable takeSlot(int index) {
        Runnable runnable = slots.get(index & (capacity - 1));
        slots.set(index & (capacity - 1), null);
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
}
