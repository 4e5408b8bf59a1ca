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
        private boolean inLine;

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
            return inLine;
        }
    }

    private @Nullable Place first;
    private @Nullable Place last;

    public boolean isEmpty() {
        return first == null;
    }

    /** The place that is served next; it stays in line. */
    public @Nullable Place first() {
        return first;
    }

    /** Puts a place at the end of the line. */
    public void add(Place place) {
        place.inLine = true;
        place.previous = last;
        if (last == null) {
            first = place;
        } else {
            last.next = place;
        }
        last = place;
    }

    /** Takes a place out of the line, wherever it stands; does nothing if it is in none. */
    public void remove(Place place) {
        if (!place.inLine) {
            return;
        }
        place.inLine = false;
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
