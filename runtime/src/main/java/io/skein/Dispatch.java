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

        /**
         * Whether one coroutine holds a worker for long: it computes, is in native code, or waits where it cannot give way. Nothing else
         * runs there before that is over.
         */
        boolean isHeld(int worker);

        /** The worker that runs the caller, or -1 when none of this runtime does. */
        int current();
    }

    /** Returns the number of a worker, from 0 to {@code workers.count() - 1}. */
    int choose(Workers workers);

    /** One after the other, but for those that are held. */
    static Dispatch roundRobin() {
        AtomicInteger next = new AtomicInteger();
        return workers -> {
            int first = Math.floorMod(next.getAndIncrement(), workers.count());
            for (int i = 0; i < workers.count(); i++) {
                int candidate = (first + i) % workers.count();
                if (!workers.isHeld(candidate)) {
                    return candidate;
                }
            }
            return first;
        };
    }

    /** The worker with the fewest queued coroutines; among equals a random one. One that is held is taken only when all are. */
    static Dispatch leastLoaded() {
        return workers -> {
            int best = ThreadLocalRandom.current().nextInt(workers.count());
            int start = best;
            long least = cost(workers, start);
            for (int i = 1; i < workers.count() && least > 0; i++) {
                int candidate = (start + i) % workers.count();
                long cost = cost(workers, candidate);
                if (cost < least) {
                    least = cost;
                    best = candidate;
                }
            }
            return best;
        };
    }

    /** What is queued at a worker; more than that of any other, if it is held. */
    private static long cost(Workers workers, int worker) {
        return workers.load(worker) + (workers.isHeld(worker) ? 1L << Integer.SIZE : 0);
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
