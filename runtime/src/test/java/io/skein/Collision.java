package io.skein;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Brings so many threads to the same place at the same moment, as often as they like: each waits for all others, then a
 * few random steps more, so that every order of what they do next comes up. Any thread may call it.
 */
@SuppressWarnings("ThreadPriorityCheck") // On a busy machine the others may need the processor.
public final class Collision {
    /** What is done again and again. */
    public interface Round {
        void play(int number) throws Exception;
    }

    private static final int SPINS_BEFORE_YIELD = 256;
    private static final int MOST_STEPS = 128;
    private static final int WIDE_ONE_IN = 4;
    private static final long WIDE_NANOS = 50_000;

    private final int parties;
    private final AtomicInteger arrivals = new AtomicInteger();

    public Collision(int parties) {
        this.parties = parties;
    }

    public void meet() {
        int ticket = arrivals.incrementAndGet();
        int complete = (ticket + parties - 1) / parties * parties;
        for (int spins = 1; arrivals.get() < complete; spins++) {
            if (spins % SPINS_BEFORE_YIELD == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        takeSomeSteps();
    }

    /** Takes a random moment. */
    public static void takeSomeSteps() {
        for (int steps = ThreadLocalRandom.current().nextInt(MOST_STEPS); steps > 0; steps--) {
            Thread.onSpinWait();
        }
    }

    /**
     * For a broken twin, between two steps that must be one: takes a random moment, in which now and then the processor is
     * given up, so that the others come in between even if all share one processor.
     */
    public static void openWindow() {
        takeSomeSteps();
        if (ThreadLocalRandom.current().nextInt(WIDE_ONE_IN) == 0) {
            LockSupport.parkNanos(WIDE_NANOS);
        }
    }

    /** Plays rounds for so long, or for a part of that, at least one; see {@link Rounds}. */
    public static void repeat(Duration length, Round round) throws Exception {
        long end = System.nanoTime() + Rounds.of(length).toNanos();
        int number = 0;
        do {
            round.play(number++);
        } while (System.nanoTime() - end < 0);
    }
}
