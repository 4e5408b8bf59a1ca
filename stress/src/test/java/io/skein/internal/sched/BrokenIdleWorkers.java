package io.skein.internal.sched;

import io.skein.Window;
import java.util.concurrent.atomic.AtomicLong;

/** {@link IdleWorkers}, of at most 64, without one of its guards. */
final class BrokenIdleWorkers {
    /** What is missing. */
    enum Flaw {
        BIT_TAKEN_WITHOUT_COMPARE_AND_SET,
        COUNTED_IN_WITHOUT_COMPARE_AND_SET,
        NO_LOOK_AFTER_A_MISS
    }

    private static final long AWAKE = 1L << 32;
    private static final long SEARCHING = 1;

    private final Flaw flaw;
    private final int workers;
    private final AtomicLong counts;
    private final AtomicLong asleep = new AtomicLong();
    private final Window window = new Window();

    BrokenIdleWorkers(Flaw flaw, int workers) {
        this.flaw = flaw;
        this.workers = workers;
        this.counts = new AtomicLong(workers * AWAKE);
    }

    boolean startSearching() {
        while (true) {
            long seen = counts.get();
            if (2 * (int) seen >= workers) {
                return false;
            }
            if (counts.compareAndSet(seen, seen + SEARCHING)) {
                return true;
            }
        }
    }

    boolean stopSearching() {
        return (int) counts.addAndGet(-SEARCHING) == 0;
    }

    boolean fallAsleep(int worker, boolean searching) {
        asleep.updateAndGet(bits -> bits | 1L << worker);
        long now = counts.addAndGet(-(searching ? AWAKE + SEARCHING : AWAKE));
        return (int) now == 0;
    }

    boolean wakeUp(int worker) {
        counts.addAndGet(AWAKE);
        if (takeAnyOf(1L << worker) >= 0) {
            openWindowOf(Flaw.NO_LOOK_AFTER_A_MISS);
            return false;
        }
        counts.addAndGet(-AWAKE);
        return true;
    }

    boolean shouldWake(int queued) {
        return shouldWake(counts.get(), queued);
    }

    private boolean shouldWake(long seen, int queued) {
        return (int) seen < queued && (int) (seen >>> 32) < workers;
    }

    int wakeOne(int queued) {
        while (true) {
            long seen = counts.get();
            if (!shouldWake(seen, queued)) {
                return -1;
            }
            if (countIn(seen)) {
                openWindowOf(Flaw.NO_LOOK_AFTER_A_MISS);
                int worker = takeAnyOf(-1);
                if (worker >= 0) {
                    return worker;
                }
                openWindowOf(Flaw.NO_LOOK_AFTER_A_MISS);
                counts.addAndGet(-(AWAKE + SEARCHING));
                if (flaw == Flaw.NO_LOOK_AFTER_A_MISS) {
                    return -1;
                }
            }
        }
    }

    boolean isAsleep(int worker) {
        return (asleep.get() & 1L << worker) != 0;
    }

    private boolean countIn(long seen) {
        if (flaw == Flaw.COUNTED_IN_WITHOUT_COMPARE_AND_SET) {
            window.open();
            counts.addAndGet(AWAKE + SEARCHING);
            return true;
        }
        return counts.compareAndSet(seen, seen + AWAKE + SEARCHING);
    }

    private int takeAnyOf(long wanted) {
        while (true) {
            long bits = asleep.get();
            long lowest = Long.lowestOneBit(bits & wanted);
            if (lowest == 0) {
                return -1;
            }
            if (flaw == Flaw.BIT_TAKEN_WITHOUT_COMPARE_AND_SET) {
                window.open();
                asleep.set(bits & ~lowest);
                return Long.numberOfTrailingZeros(lowest);
            }
            if (asleep.compareAndSet(bits, bits & ~lowest)) {
                return Long.numberOfTrailingZeros(lowest);
            }
        }
    }

    private void openWindowOf(Flaw wanted) {
        if (flaw == wanted) {
            window.open();
        }
    }
}
