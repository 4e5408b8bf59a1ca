package io.skein.internal.io.uring;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a ring has in flight, found by the {@code user_data} that their completions carry.
 *
 * <p>Only the ring's own thread uses it. A user data is a slot's index in the low half and the slot's generation in
 * the high half. The generation grows whenever a slot is freed, so a completion that names a former tenant finds
 * nothing. Generations start at 1: a user data below 2^32 belongs to no slot.
 */
final class Slots {
    private @Nullable Request[] requests;
    private int[] generations;

    /** The next free slot after each free slot; the list's end is -1. */
    private int[] nextFree;

    private int firstFree;
    private int taken;
    private boolean growing = true;

    Slots(int capacity) {
        requests = new Request[capacity];
        generations = new int[capacity];
        nextFree = new int[capacity];
        Arrays.fill(generations, 1);
        link(0, capacity, -1);
    }

    private void link(int from, int to, int end) {
        for (int i = from; i < to; i++) {
            nextFree[i] = i + 1 < to ? i + 1 : end;
        }
        firstFree = from;
    }

    /** Gives the request a slot and returns its user data. */
    long take(Request request) {
        if (firstFree < 0) {
            grow();
        }
        int slot = firstFree;
        firstFree = nextFree[slot];
        requests[slot] = request;
        taken++;
        return (long) generations[slot] << 32 | slot;
    }

    /** The request that a user data names, or null when its slot has passed to another or is free. */
    @Nullable
    Request find(long userData) {
        int slot = (int) userData;
        return slot < requests.length && generations[slot] == (int) (userData >>> 32) ? requests[slot] : null;
    }

    /** Frees the slot that {@link #find} found. */
    void free(long userData) {
        int slot = (int) userData;
        requests[slot] = null;
        int generation = generations[slot] + 1;
        generations[slot] = generation == 0 ? 1 : generation;
        nextFree[slot] = firstFree;
        firstFree = slot;
        taken--;
    }

    /** Goes through what is in flight. What the action takes or frees meanwhile may be met or not. */
    void forEach(Consumer<Request> action) {
        for (int slot = 0; slot < requests.length; slot++) {
            Request request = requests[slot];
            if (request != null) {
                action.accept(request);
            }
        }
    }

    int taken() {
        return taken;
    }

    /** Says whether there is memory for more slots; for tests, which have no other way to be short of it just here. */
    void mayGrow(boolean allowed) {
        growing = allowed;
    }

    private void grow() {
        if (!growing) {
            throw new OutOfMemoryError("no memory for more slots");
        }
        int before = requests.length;
        int after = before * 2;
        @Nullable
        Request[] moreRequests = Arrays.copyOf(requests, after); // there may be memory for one, and none for the next
        int[] moreGenerations = Arrays.copyOf(generations, after);
        nextFree = Arrays.copyOf(nextFree, after);
        requests = moreRequests;
        generations = moreGenerations;
        Arrays.fill(generations, before, after, 1);
        link(before, after, -1);
    }
}
