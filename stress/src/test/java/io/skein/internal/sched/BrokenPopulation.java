package io.skein.internal.sched;

import io.skein.Window;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** {@link Population} without one of its guards. */
final class BrokenPopulation {
    /** What is missing. */
    enum Flaw {
        REFUSE_WITHOUT_COMPARE_AND_SET,
        ENTER_LOOKS_BEFORE_IT_COUNTS,
        IDLE_SEEN_BEFORE_REFUSED
    }

    private static final long REFUSING = Long.MIN_VALUE;

    private final Flaw flaw;
    private final AtomicLong count = new AtomicLong();
    private volatile boolean gone;
    private final Window window = new Window();

    BrokenPopulation(Flaw flaw) {
        this.flaw = flaw;
    }

    void enter() {
        if (flaw == Flaw.ENTER_LOOKS_BEFORE_IT_COUNTS) {
            if (count.get() < 0) {
                throw new RejectedExecutionException("the runtime is closed");
            }
            window.open();
            count.getAndIncrement();
        } else if (count.getAndIncrement() < 0) {
            leave();
            throw new RejectedExecutionException("the runtime is closed");
        }
    }

    /** Lets the other actor in between its steps. */
    void openWindow() {
        window.open();
    }

    void leave() {
        if (count.decrementAndGet() == REFUSING) {
            gone = true;
        }
    }

    boolean isRefusing() {
        return count.get() < 0;
    }

    void refuse() {
        long seen = count.get();
        if (flaw == Flaw.REFUSE_WITHOUT_COMPARE_AND_SET) {
            window.open();
            count.set(seen | REFUSING);
        } else {
            seen = count.getAndUpdate(now -> now | REFUSING);
        }
        if (seen == 0) {
            gone = true;
        }
    }

    void awaitIdleAndRefuse() {
        if (flaw == Flaw.IDLE_SEEN_BEFORE_REFUSED) {
            while (count.get() != 0) {
                Thread.onSpinWait();
            }
            window.open();
            refuse();
        } else {
            while (!count.compareAndSet(0, REFUSING)) {
                Thread.onSpinWait();
            }
            gone = true;
        }
    }

    boolean isGone() {
        return gone;
    }
}
