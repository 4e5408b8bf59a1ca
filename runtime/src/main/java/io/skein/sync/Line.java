package io.skein.sync;

import org.jspecify.annotations.Nullable;

/**
 * Places in line, first come, first served. Guarded by the lock of its channel.
 *
 * <p>A place leaves once: polled by who serves it, or removed by its waiter. One whose waiter was served elsewhere, or has given
 * up, may still be in line: whoever serves it finds out.
 */
final class Line {
    private @Nullable Place first;
    private @Nullable Place last;

    boolean isEmpty() {
        return first == null;
    }

    void add(Place place) {
        place.inLine = true;
        place.previous = last;
        if (last == null) {
            first = place;
        } else {
            last.next = place;
        }
        last = place;
    }

    /** Takes a place out of the line, wherever it stands; does nothing if it has left. */
    void remove(Place place) {
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

    @Nullable
    Place poll() {
        Place place = first;
        if (place != null) {
            remove(place);
        }
        return place;
    }

    /**
     * Takes all places out of the line. They stay linked, so that it takes no memory.
     *
     * @return the first; {@link Place#unlinked} leads from each to the next
     */
    @Nullable
    Place pollAll() {
        Place all = first;
        first = null;
        last = null;
        for (Place place = all; place != null; place = place.next) {
            place.inLine = false;
            place.previous = null;
        }
        return all;
    }
}
