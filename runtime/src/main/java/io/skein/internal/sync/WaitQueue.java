package io.skein.internal.sync;

import org.jspecify.annotations.Nullable;

/**
 * Threads in line, first come, first served. Guarded by its owner's {@link BriefLock}: every method is called with it held.
 *
 * <p>A place leaves the queue once: taken by {@link #poll}, or {@linkplain #remove removed} by its waiter. A place whose waiter
 * has been served elsewhere, or has given up, may still be in line; whoever serves it finds out, for {@link Waiter#resume}
 * says no.
 */
public final class WaitQueue {
    /** One waiter's place in one queue, with what it brought or what it is given. */
    public static final class Place {
        private final Waiter waiter;
        private @Nullable Object item;
        private @Nullable Place previous;
        private @Nullable Place next;
        private @Nullable WaitQueue queue;

        /** A place that is not in line yet. */
        public Place(Waiter waiter, @Nullable Object item) {
            this.waiter = waiter;
            this.item = item;
        }

        public Waiter waiter() {
            return waiter;
        }

        public @Nullable Object item() {
            return item;
        }

        public void setItem(@Nullable Object item) {
            this.item = item;
        }

        public boolean inLine() {
            return queue != null;
        }
    }

    /**
     * Those who were served under the lock and are resumed after it, in the same order. Used by one thread, once.
     *
     * <p>It links the places anew, which are out of line by then.
     */
    public static final class Served {
        private @Nullable Place first;
        private @Nullable Place last;

        /** Adds a place that has left its queue. */
        public void add(Place place) {
            if (last == null) {
                first = place;
            } else {
                last.next = place;
            }
            last = place;
        }

        /** Resumes everyone. To be called without the lock, by the thread that had it and so has stack for this. */
        public void resume() {
            Place place = first;
            while (place != null) {
                Place after = place.next;
                place.next = null; // nobody keeps those who were served after it
                place.waiter.resumeToEnd();
                place = after;
            }
        }
    }

    /** More than this are not counted for people. */
    private static final int MANY = 1_000;

    private @Nullable Place first;
    private @Nullable Place last;

    public boolean isEmpty() {
        return first == null;
    }

    /**
     * How many are in line, for people: {@code ", 2 waiting"}, or nothing. Needs no lock, since a debugger may have stopped the one who
     * holds it; so the number is a hint.
     */
    public String described() {
        int count = 0;
        for (Place place = first; place != null && count < MANY; place = place.next) {
            count++;
        }
        return count == 0 ? "" : ", " + count + (count == MANY ? " or more waiting" : " waiting");
    }

    /** The place that is served next; it stays in line. */
    public @Nullable Place first() {
        return first;
    }

    /** Puts a place at the end of the line. */
    public void add(Place place) {
        place.queue = this;
        place.previous = last;
        if (last == null) {
            first = place;
        } else {
            last.next = place;
        }
        last = place;
    }

    /** Whether the place is in this line. */
    public boolean contains(Place place) {
        return place.queue == this;
    }

    /** Takes a place out of the line, wherever it stands; does nothing if it is not in this one. */
    public void remove(Place place) {
        if (place.queue != this) {
            return;
        }
        place.queue = null;
        Place before = place.previous;
        Place after = place.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        place.previous = null;
        place.next = null;
    }

    /** Takes the place that is served next out of the line. */
    public @Nullable Place poll() {
        Place place = first;
        if (place != null) {
            remove(place);
        }
        return place;
    }
}
