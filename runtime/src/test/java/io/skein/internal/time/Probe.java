package io.skein.internal.time;

import java.util.List;

/** A timer that notes in a list that it has fired. */
final class Probe extends Timer {
    private final long number;
    private final List<Long> fired;
    private final Runnable action;
    private boolean released;

    Probe(long number, List<Long> fired) {
        this(number, fired, () -> {});
    }

    Probe(long number, List<Long> fired, Runnable action) {
        this.number = number;
        this.fired = fired;
        this.action = action;
    }

    @Override
    protected void fire() {
        fired.add(number);
        action.run();
    }

    @Override
    protected void release() {
        released = true;
    }

    boolean isReleased() {
        return released;
    }
}
