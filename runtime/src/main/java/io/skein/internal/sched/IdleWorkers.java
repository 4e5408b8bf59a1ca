package io.skein.internal.sched;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which workers sleep, and how many of the others work or search: what decides whether new work wakes somebody.
 *
 * <p>Any thread may call it; it is lock-free. {@code counts} holds two numbers in one word: the workers that are awake,
 * and how many of those are searching, that is, have no work and look for some in other workers' queues. {@code asleep}
 * is the set of sleepers, a bit each.
 *
 * <p>The aim is that work never waits while a worker sleeps, and that new work wakes one worker at most. A searcher will
 * find the work, so while there is one nobody else is woken; a searcher that finds work and was the last one wakes the
 * next, so the search goes on for as long as there is something to find. What is published from outside comes in bursts, and a worker
 * takes a while to wake: there each searcher is thought to take one, and if more are queued, another worker is woken at once.
 *
 * <p>Entry to sleep, by the worker ({@link #fallAsleep}): (1) set its bit; (2) count itself out, as a searcher too; (3)
 * look again at what is its own and at the global queue, and, if it was the last searcher, at every other worker's queue;
 * (4) sleep in its driver.
 *
 * <p>Exit, by one of two. A waker counts the sleeper in, as a searcher, and takes its bit ({@link #wakeOne},
 * {@link #wake}); then it signals the sleeper's driver. Or the worker itself, because its driver returned, counts itself
 * in and takes its bit ({@link #wakeUp}). The bit is taken by a compare-and-set, so exactly one of them has it, and the
 * other takes its count back.
 *
 * <p>How each signal is caught. Work is published before the publisher looks at {@code counts}, with a full fence
 * between; a worker changes {@code counts} before it looks at the work.
 *
 * <ul>
 *   <li>None searches and some sleep: the publisher wakes one.
 *   <li>Somebody searches: the publisher wakes nobody, but for the burst above. The searcher finds the work; or it gives up, and as the last to
 *       give up it looks again in step 3, which is after the publication; or it finds other work, and as the last to
 *       stop searching it wakes the next searcher.
 *   <li>A waker that counted a searcher in and then found no bit to take has counted a worker that is not there: it takes
 *       its count back and looks at {@code counts} again, as a publisher would, so what was left to it is not lost.
 *   <li>A sleeper that counted itself in and then found its bit taken made one too many look awake for a moment: but
 *       whoever took the bit made it a searcher, with a searcher's duties.
 *   <li>Work in a last-in slot: most often its owner gets to it before anybody else could. A searcher that sees an owner do so
 *       leaves the slot alone and naps: it sleeps, but not for long, and then searches again. While one naps, whoever puts
 *       into a slot wakes nobody. The put comes before the look whether one naps, and who ends a nap says so before it looks at
 *       the slots, and wakes another if one is taken: so the putter sees no nap, or the napper sees what was put.
 *   <li>All are awake: each looks at everything before it falls asleep, or leaves that to those who search.
 *   <li>Work for one worker alone, a message or a pinned coroutine: its publisher looks at that worker's bit after the
 *       publication, the worker at its inbox after it has set its bit: one of the two sees the other.
 * </ul>
 */
final class IdleWorkers {
    private static final long AWAKE = 1L << 32;
    private static final long SEARCHING = 1;

    private final int workers;
    private final AtomicLong counts;
    private final AtomicLongArray asleep;
    private final AtomicInteger napping = new AtomicInteger();

    /** Workers in whose place a coroutine sleeps. They count as awake, and are woken by name only. */
    private final AtomicLongArray stoodIn;

    /** All workers start awake, none of them searching. */
    IdleWorkers(int workers) {
        this.workers = workers;
        this.counts = new AtomicLong(workers * AWAKE);
        this.asleep = new AtomicLongArray((workers + 63) / 64);
        this.stoodIn = new AtomicLongArray(asleep.length());
    }

    /** Makes an awake worker a searcher, unless half of the workers search already. */
    boolean startSearching() {
        while (true) {
            long seen = counts.get();
            if (2 * searching(seen) >= workers) {
                return false;
            }
            if (counts.compareAndSet(seen, seen + SEARCHING)) {
                return true;
            }
        }
    }

    /** Ends a search that found work. Returns whether nobody searches now, so that another should be woken. */
    boolean stopSearching() {
        return searching(counts.addAndGet(-SEARCHING)) == 0;
    }

    /**
     * Steps 1 and 2 of the entry to sleep.
     *
     * @param searching whether the worker is a searcher until now
     * @return whether nobody searches now, so that it has to look at every queue again itself
     */
    boolean fallAsleep(int worker, boolean searching) {
        add(asleep, worker);
        long now = counts.addAndGet(-(searching ? AWAKE + SEARCHING : AWAKE));
        return searching(now) == 0;
    }

    /**
     * The sleeper's own exit.
     *
     * @return whether somebody else had woken it already: then it is a searcher
     */
    boolean wakeUp(int worker) {
        counts.addAndGet(AWAKE);
        if (takeBit(worker)) {
            return false;
        }
        counts.addAndGet(-AWAKE);
        return true;
    }

    /** Says, before {@link #fallAsleep}, that the worker will not sleep for long. */
    void startNap() {
        napping.getAndIncrement();
    }

    /** To be called after {@link #wakeUp} by who napped, and before it looks at the last-in slots. */
    void endNap() {
        napping.getAndDecrement();
    }

    /** Whether what was just put into a last-in slot may be left to somebody who will look soon. */
    boolean isAnyNapping() {
        return napping.get() > 0;
    }

    /**
     * Whether new work should wake somebody, as it looks now: a cheap question before {@link #wakeOne}.
     *
     * @param queued how much work waits, if the caller knows, or else 1
     */
    boolean shouldWake(int queued) {
        return shouldWake(counts.get(), queued);
    }

    private boolean shouldWake(long seen, int queued) {
        return searching(seen) < queued && awake(seen) < workers;
    }

    /**
     * Takes some sleeper's bit, if new work should wake somebody.
     *
     * @param queued as above
     * @return the worker whose driver the caller has to signal, or -1
     */
    int wakeOne(int queued) {
        while (true) {
            long seen = counts.get();
            if (!shouldWake(seen, queued)) {
                return -1;
            }
            if (counts.compareAndSet(seen, seen + AWAKE + SEARCHING)) {
                int worker = takeAnyBit();
                if (worker >= 0) {
                    return worker;
                }
                counts.addAndGet(-(AWAKE + SEARCHING));
            }
        }
    }

    /**
     * Takes the bit of one worker, if it sleeps.
     *
     * @return the worker whose driver the caller has to signal, or -1
     */
    int wake(int worker) {
        if (!isAsleep(worker)) {
            return -1;
        }
        counts.addAndGet(AWAKE + SEARCHING);
        if (takeBit(worker)) {
            return worker;
        }
        counts.addAndGet(-(AWAKE + SEARCHING));
        return wakeOne(1); // for whoever left work to the searcher that there was not
    }

    boolean isAsleep(int worker) {
        return (asleep.get(worker >>> 6) & bit(worker)) != 0;
    }

    /** Marks a worker in whose place a coroutine is about to sleep. */
    void standIn(int worker) {
        add(stoodIn, worker);
    }

    boolean isStoodIn(int worker) {
        return (stoodIn.get(worker >>> 6) & bit(worker)) != 0;
    }

    /** Takes the mark away. Returns whether the caller did it; if it is not the sleeper, it has to signal the worker's driver. */
    boolean endStandIn(int worker) {
        return take(stoodIn, worker);
    }

    private boolean takeBit(int worker) {
        return take(asleep, worker);
    }

    private static void add(AtomicLongArray set, int worker) {
        int word = worker >>> 6;
        long bits;
        do {
            bits = set.get(word);
        } while (!set.compareAndSet(word, bits, bits | bit(worker)));
    }

    private static boolean take(AtomicLongArray set, int worker) {
        int word = worker >>> 6;
        while (true) {
            long bits = set.get(word);
            if ((bits & bit(worker)) == 0) {
                return false;
            }
            if (set.compareAndSet(word, bits, bits & ~bit(worker))) {
                return true;
            }
        }
    }

    private int takeAnyBit() {
        for (int word = 0; word < asleep.length(); word++) {
            long bits = asleep.get(word);
            while (bits != 0) {
                long lowest = Long.lowestOneBit(bits);
                if (asleep.compareAndSet(word, bits, bits & ~lowest)) {
                    return (word << 6) + Long.numberOfTrailingZeros(lowest);
                }
                bits = asleep.get(word);
            }
        }
        return -1;
    }

    private static long bit(int worker) {
        return 1L << (worker & 63);
    }

    private static int searching(long counts) {
        return (int) counts;
    }

    private static int awake(long counts) {
        return (int) (counts >>> 32);
    }
}
