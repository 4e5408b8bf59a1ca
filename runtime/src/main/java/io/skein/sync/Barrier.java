package io.skein.sync;

import io.skein.Action;
import io.skein.internal.Budget;
import io.skein.internal.sync.BriefLock;
import io.skein.internal.sync.Patience;
import io.skein.internal.sync.WaitQueue;
import io.skein.internal.sync.WaitQueue.Place;
import io.skein.internal.sync.WaitQueue.Served;
import io.skein.internal.sync.Waiter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/**
 * A place where a number of parties wait until all of them have arrived, again and again. Any thread may be a party.
 *
 * <pre>{@code
 * Barrier barrier = new Barrier(workers, grid::swap);
 * for (int i = 0; i < workers; i++) {
 *     Rows rows = grid.rows(i);
 *     scope.fork(() -> {
 *         while (!grid.isDone()) {
 *             rows.compute();
 *             barrier.await();        // nobody goes on before all have arrived and the grids are swapped
 *         }
 *     });
 * }
 * }</pre>
 *
 * <p>The last to arrive runs the action, if there is one, and then everybody goes on. What parties did before they arrived is seen by
 * the action, and what the action did by all parties.
 *
 * <p><b>All or none.</b> If a party that waits is interrupted or runs out of time, or the action throws, the barrier is broken: that
 * party gets its own exception, and everybody else who waits, or arrives later, gets {@link BrokenBarrierException}, until
 * somebody calls {@link #reset}. A party whose interrupt or deadline comes when all have arrived goes on with them; the
 * interrupt status stays set.
 */
public final class Barrier {
    /**
     * Those who go on together. Guarded by the lock.
     *
     * <p>Invariants. A round is open, then full or broken; a full one ends passed or broken. Parties arrive in an open one;
     * a broken one stays in its place until a reset. At its end nobody is in line. Whoever was
     * taken out of line by somebody else goes by how it ended.
     */
    private static final class Round {
        private final WaitQueue line = new WaitQueue();
        private int arrived;
        private boolean broken;

        void end(boolean broken, Served served) {
            this.broken = broken;
            for (Place place = line.poll(); place != null; place = line.poll()) {
                served.add(place);
            }
        }
    }

    private static final Action NOTHING = () -> {};

    private final int parties;
    private final Action action;
    private final BriefLock lock = new BriefLock();
    private Round round = new Round();

    public Barrier(int parties) {
        this(parties, NOTHING);
    }

    /**
     * @param action run in each round by the last to arrive, before anybody goes on
     */
    public Barrier(int parties, Action action) {
        if (parties < 1) {
            throw new IllegalArgumentException("parties: " + parties + ", must be 1 or more");
        }
        this.parties = parties;
        this.action = Objects.requireNonNull(action, "action");
    }

    /** How many have to arrive. */
    public int parties() {
        return parties;
    }

    /**
     * Arrives, and waits for all others.
     *
     * @return how many were still missing on arrival: 0 for the last
     * @throws BrokenBarrierException if the barrier is broken, or breaks meanwhile
     * @throws InterruptedException if the thread is interrupted before all have arrived; the barrier is broken then
     * @throws CompletionException if the caller was the last and the action threw a checked exception, which is the cause; an
     *     unchecked one is thrown as it is
     */
    public int await() throws InterruptedException, BrokenBarrierException {
        try {
            return await(Patience.ENDLESS);
        } catch (TimeoutException e) {
            throw new AssertionError("a wait without a bound ran out of time", e);
        }
    }

    /**
     * As {@link #await()}, and waits for others no longer than so long.
     *
     * @throws TimeoutException if they did not all arrive in that time; the barrier is broken then
     */
    public int await(Duration timeout) throws InterruptedException, BrokenBarrierException, TimeoutException {
        return await(Patience.of(timeout));
    }

    private int await(Patience patience) throws InterruptedException, BrokenBarrierException, TimeoutException {
        Budget.spend();
        Place place = new Place(new Waiter(), null);
        Round joined;
        int missing;
        lock.lock();
        try {
            joined = round;
            if (joined.broken) {
                throw new BrokenBarrierException("the barrier is broken; reset makes it usable again");
            }
            missing = parties - joined.arrived - 1;
            if (missing > 0) {
                joined.line.add(place);
            } else {
                round = new Round();
            }
            joined.arrived++;
        } finally {
            lock.unlock();
        }
        if (missing > 0) {
            awaitEnd(joined, place, patience);
        } else {
            actAndEnd(joined);
        }
        return missing;
    }

    private void awaitEnd(Round joined, Place place, Patience patience)
            throws InterruptedException, BrokenBarrierException, TimeoutException {
        boolean resumed;
        try {
            resumed = patience.await(place.waiter());
        } catch (Throwable e) { // for lack of stack or memory
            if (brokeBy(place, joined)) {
                throw e;
            }
            resumed = true;
        }
        if (!resumed && brokeBy(place, joined)) {
            patience.gaveUp();
            throw new TimeoutException("not all parties arrived in time");
        }
        Patience.STUBBORN.await(
                place.waiter()); // over, but for one who gives up when all have arrived and the action runs
        if (joined.broken) {
            throw new BrokenBarrierException("the barrier was broken while this party waited");
        }
    }

    /** Called by somebody who gives up: breaks the round, if it is open. */
    private boolean brokeBy(Place place, Round joined) {
        Served served = new Served();
        lock.lockAgain();
        try {
            if (!place.inLine()) {
                return false;
            }
            if (joined.arrived == parties) {
                place.waiter().beginAgain();
                return false;
            }
            joined.line.remove(place);
            joined.end(true, served);
        } finally {
            lock.unlock();
        }
        served.resume();
        return true;
    }

    /** By the last to arrive. */
    private void actAndEnd(Round full) throws InterruptedException {
        boolean acted = false;
        try {
            action.run();
            acted = true;
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CompletionException("the barrier's action failed: " + e, e);
        } finally {
            Served served = new Served();
            lock.lockAgain();
            full.end(!acted, served);
            if (!acted) {
                round.end(true, served);
            }
            lock.unlock();
            served.resume();
        }
    }

    /** Lets everybody who waits go with {@link BrokenBarrierException}, and makes the barrier as new. */
    public void reset() {
        Served served = new Served();
        lock.lock();
        round.end(true, served);
        round = new Round();
        lock.unlock();
        served.resume();
    }

    public boolean isBroken() {
        lock.lock();
        boolean broken = round.broken;
        lock.unlock();
        return broken;
    }

    /** How many have arrived and wait for the others. */
    public int waiting() {
        lock.lock();
        int waiting = round.broken ? 0 : round.arrived;
        lock.unlock();
        return waiting;
    }

    @Override
    public String toString() {
        Round seen = round; // without the lock, since a debugger may have stopped the one who holds it
        return seen.broken ? "Barrier[broken]" : "Barrier[" + seen.arrived + " of " + parties + " arrived]";
    }
}
