package io.skein.sync;

import io.skein.internal.Suspension;
import org.jspecify.annotations.Nullable;

/**
 * A place in the {@link Line} of a channel: of a thread that sends or receives and nothing else, whose wait it is too, or of one
 * clause of a {@link Select}. Used once.
 *
 * <p>The item of a sender's place is its value, and null once that was taken. The item of a receiver's place is null until there
 * is a value for it. So a wait that is over left the item as it was if the channel was closed. Whoever serves a place holds the
 * channel's lock, and changes the item before it ends the wait; if that fails, the place is dead and its item is no one's.
 */
final class Place extends Suspension {
    final @Nullable SelectWait select;

    @Nullable
    Object item;

    // Of its line, under the channel's lock.
    @Nullable
    Place previous;

    @Nullable
    Place next;

    boolean inLine;

    /** A wait of the calling thread, which has begun. */
    Place(@Nullable Object item) {
        this.select = null;
        this.item = item;
        begin();
    }

    /** For a clause of a select, which has begun to wait. */
    Place(SelectWait select, @Nullable Object item) {
        this.select = select;
        this.item = item;
    }

    /** Ends the wait: returns the thread to unpark, or null if the wait had ended before, or was given up. */
    @Nullable
    Thread serve() {
        return select == null ? settle() : select.serve(this);
    }

    /** Waits to be served; false at an interrupt, which stays set. */
    boolean awaitServed() {
        return await();
    }

    /** As {@link #awaitServed}, and false at the deadline too. */
    boolean awaitServedUntil(long deadlineNanos) {
        return awaitUntil(deadlineNanos);
    }
}
