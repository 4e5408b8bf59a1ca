package io.skein.sync;

import io.skein.internal.FirstOf;
import org.jspecify.annotations.Nullable;

/** The wait of a thread for the first of a select's clauses: a {@link Place}, or a coroutine that has ended. Used once. */
final class SelectWait extends FirstOf {
    /** A wait of the calling thread, which has begun. */
    SelectWait() {
        begin();
    }

    @Nullable
    Thread serve(Place place) {
        return settleBy(place);
    }

    void wake() {
        unparkWaiter();
    }

    /** Who ended it, if somebody did; else it is given up. For a waiter that has failed. */
    @Nullable
    Object firstOrGiveUp() {
        abandon();
        return isOver() ? first() : null;
    }

    /** Who ended it, or null at an interrupt, which stays set. */
    @Nullable
    Object awaitFirst() {
        return await() ? first() : null;
    }

    /** As {@link #awaitFirst}, and null at the deadline too. */
    @Nullable
    Object awaitFirstUntil(long deadlineNanos) {
        return awaitUntil(deadlineNanos) ? first() : null;
    }
}
