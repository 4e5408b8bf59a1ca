package io.skein.internal.sync;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Waits of a test that plays all sides on one thread: each wait takes the next step of a script. If the waiter was not resumed by
 * then, it gives up.
 */
final class Scripted extends Patience {
    private final Deque<Runnable> steps;
    private Runnable afterGivingUp = () -> {};
    private int waits;
    private int resumes;

    Scripted(Runnable... steps) {
        super(0);
        this.steps = new ArrayDeque<>(List.of(steps));
    }

    /** Somebody who gives up at once, and what happens before it says so. */
    static Scripted givingUpBefore(Runnable action) {
        Scripted patience = new Scripted();
        patience.afterGivingUp = action;
        return patience;
    }

    /** How many waits there were. */
    int waits() {
        return waits;
    }

    /** How many waits were ended by somebody else. */
    int resumes() {
        return resumes;
    }

    @Override
    public boolean await(Waiter waiter) {
        if (!waiter.isWaiting()) {
            throw new AssertionError("the wait has not begun");
        }
        waits++;
        if (!steps.isEmpty()) {
            steps.removeFirst().run();
        }
        boolean resumed = waiter.awaitResumedUntil(System.nanoTime());
        if (resumed) {
            resumes++;
        } else {
            afterGivingUp.run();
        }
        return resumed;
    }
}
