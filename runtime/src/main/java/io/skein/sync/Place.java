package io.skein.sync;

import io.skein.internal.Suspension;
import io.skein.internal.loom.Unparking;
import io.skein.internal.sync.BriefLock;
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

    /** Unparks the thread of a wait that was {@linkplain #serve served}. */
    void wake() {
        if (select == null) {
            unparkWaiter();
        } else {
            select.wake();
        }
    }

    /** Serves this one and those that are linked to it, all of which have left their line, and wakes them. */
    static void serveAll(@Nullable Place first) {
        Place place = first;
        while (place != null) {
            Place after = place.unlinked();
            Unparking.unpark(place.serve()); // of nobody, if it had ended before
            place = after;
        }
    }

    /** The one after this, which is linked to it no more. */
    @Nullable
    Place unlinked() {
        Place after = next;
        next = null; // nobody keeps those who were served after it
        return after;
    }

    /** Waits in a line to be served; false at an interrupt, which stays set. If the wait fails, it has left the line. */
    boolean awaitServed(Line line, BriefLock lock) {
        try {
            return await();
        } catch (Throwable e) { // for lack of stack or memory
            leave(line, lock);
            throw e;
        }
    }

    /** As {@link #awaitServed(Line, BriefLock)}, and false at the deadline too. */
    boolean awaitServed(Line line, BriefLock lock, long deadlineNanos) {
        try {
            return awaitUntil(deadlineNanos);
        } catch (Throwable e) { // for lack of stack or memory
            leave(line, lock);
            throw e;
        }
    }

    /** Leaves a line, if it is still there. */
    void leave(Line line, BriefLock lock) {
        lock.lockAgain();
        line.remove(this);
        lock.unlock();
    }
}
