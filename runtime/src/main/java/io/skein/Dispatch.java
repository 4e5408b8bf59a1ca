package io.skein;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses the worker that a spawned coroutine starts on. Called by any thread, so it must be thread-safe; it must not
 * block.
 *
 * <p>Under {@link Scheduling#PINNED} the coroutine stays there, and every spawn is dispatched. Under
 * {@link Scheduling#STEALING} the choice is where the coroutine begins; spawns from inside a coroutine stay on its
 * worker unless they name a dispatch themselves.
 */
@FunctionalInterface
public interface Dispatch {
    /** The workers of a runtime, as a dispatch sees them. */
    interface Workers {
        /** How many there are; they are numbered from 0. */
        int count();

        /** How many coroutines are queued for a worker, about. */
        int load(int worker);

        /** The worker that runs the caller, or -1 when none of this runtime does. */
        int current();
    }

    /** Returns the number of a worker, from 0 to {@code workers.count() - 1}. */
    int choose(Workers workers);

    /** One after the other. */
    static Dispatch roundRobin() {
        AtomicInteger next = new AtomicInteger();
        return workers -> Math.floorMod(next.getAndIncrement(), workers.count());
    }

    /** The worker with the fewest queued coroutines; among equals a random one. */
    static Dispatch leastLoaded() {
        return workers -> {
            int start = ThreadLocalRandom.current().nextInt(workers.count());
            int best = start;
            int least = workers.load(start);
            for (int i = 1; i < workers.count() && least > 0; i++) {
                int candidate = (start + i) % workers.count();
                int load = workers.load(candidate);
                if (load < least) {
                    least = load;
                    best = candidate;
                }
            }
            return best;
        };
    }

    /** The same worker for equal keys. */
    static Dispatch byKey(Object key) {
        int hash = Objects.requireNonNull(key, "key").hashCode();
        int spread = hash ^ (hash >>> 16);
        return workers -> Math.floorMod(spread, workers.count());
    }

    /** The worker that runs the caller; from outside, one after the other. */
    static Dispatch localFirst() {
        Dispatch outside = roundRobin();
        return workers -> workers.current() >= 0 ? workers.current() : outside.choose(workers);
    }

    /** That worker. */
    static Dispatch to(int worker) {
        return workers -> worker;
    }
}
