package io.skein.internal.time;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A clock that a test sets. It begins where {@link System#nanoTime} may: anywhere, near the overflow too. */
final class ManualClock implements LongSupplier {
    private final long startNanos;
    private long nanos;
    private long reads;

    ManualClock(long startNanos) {
        this.startNanos = startNanos;
        this.nanos = startNanos;
    }

    @Override
    public long getAsLong() {
        reads++;
        return nanos;
    }

    /** How often somebody has looked at it. */
    long reads() {
        return reads;
    }

    void advanceNanos(long by) {
        nanos += by;
    }

    void advance(Duration by) {
        nanos += by.toNanos();
    }

    /** Sets it to the beginning of a tick, counted from the start. */
    void setTick(long tick) {
        nanos = atTick(tick);
    }

    /** The time at which a tick begins. */
    long atTick(long tick) {
        return startNanos + tick * TimerWheel.TICK_NANOS;
    }

    /** How much time has passed since the start. */
    long elapsedNanos() {
        return nanos - startNanos;
    }
}
