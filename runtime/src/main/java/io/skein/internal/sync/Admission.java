package io.skein.internal.sync;

import io.skein.internal.Budget;
import io.skein.internal.Headroom;
import io.skein.internal.sync.WaitQueue.Place;
import io.skein.internal.sync.WaitQueue.Served;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A word that says who may go ahead, and the line of those who may not yet: first come, first served. Any thread may call it.
 *
 * <p>What the word means is the subclass's matter: {@link #entered} and {@link #left} tell how it changes. While nobody is in line,
 * every change is one compare-and-set. Whoever may not go ahead takes the lock and marks the word as crowded.
 *
 * <p>Invariants. A crowded word is changed only under the lock. Whenever the lock is free, the word is crowded if and only if
 * somebody is in line, and the first in line may not go ahead. Whoever leaves the line under the lock without having given
 * up has gone ahead: there is no grant that can be lost between the two.
 */
public abstract class Admission {
    /** What {@link #entered} answers to somebody who may not go ahead. */
    protected static final long REFUSED = -1;

    private static final long CROWDED = Long.MIN_VALUE;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Admission.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BriefLock lock = new BriefLock();
    private final WaitQueue line = new WaitQueue();
    private volatile long word;

    /**
     * @param word not negative, as every word
     */
    protected Admission(long word) {
        WORD.set(this, word);
    }

    /** The word after somebody with this request has gone ahead, or {@link #REFUSED}. A function of its arguments. */
    protected abstract long entered(long word, long request);

    /** The word after this change, which may let others go ahead. A function of its arguments; what it throws changes nothing. */
    protected abstract long left(long word, long change);

    public final long word() {
        return word & ~CROWDED;
    }

    /** {@link WaitQueue#described} of its line. */
    public final String waitersDescribed() {
        return line.described();
    }

    /** Whether nobody waits. For tests. */
    public final boolean isDeserted() {
        return word >= 0;
    }

    /** Goes ahead if that is possible at once, and nobody is in line. */
    public final boolean tryEnter(long request) {
        Budget.spend();
        Headroom.toBegin(); // whoever enters will leave
        while (true) {
            long seen = word;
            long next = seen < 0 ? REFUSED : entered(seen, request);
            if (next == REFUSED) {
                return false;
            }
            if (next == seen || WORD.compareAndSet(this, seen, next)) {
                return true;
            }
        }
    }

    /** Goes ahead, in turn. Returns false if patience came to an end before. */
    public final boolean enter(long request, Patience patience) throws InterruptedException {
        return tryEnter(request) || enterInTurn(request, patience);
    }

    private boolean enterInTurn(long request, Patience patience) throws InterruptedException {
        patience.checkInterrupt();
        Place place = new Place(new Waiter(), request);
        if (!linedUp(place, request)) {
            return true;
        }
        boolean resumed;
        try {
            resumed = patience.await(place.waiter());
        } catch (Throwable e) { // for lack of stack or memory
            if (removed(place)) {
                throw e;
            }
            return true;
        }
        return resumed || !removed(place) || patience.gaveUp();
    }

    /** Gets in line, unless it can go ahead after all: then returns false. */
    private boolean linedUp(Place place, long request) {
        lock.lock();
        try {
            long seen = (long) WORD.getAndBitwiseOr(this, CROWDED) & ~CROWDED;
            long next = line.isEmpty() ? entered(seen, request) : REFUSED;
            if (next != REFUSED) {
                publish(next);
                return false;
            }
            line.add(place);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes somebody who gives up out of the line. Returns false if it has gone ahead already. */
    private boolean removed(Place place) {
        Served served = new Served();
        lock.lockAgain();
        try {
            if (!place.inLine()) {
                return false;
            }
            line.remove(place);
            publish(serve(word & ~CROWDED, served)); // it may have held up others
        } finally {
            lock.unlock();
        }
        served.resume();
        return true;
    }

    /** Changes the word, and lets those go ahead who then may. */
    public final void leave(long change) {
        Headroom.toEnd();
        while (true) {
            long seen = word;
            if (seen < 0) {
                if (leaveCrowd(change)) {
                    return;
                }
            } else {
                long next = left(seen, change);
                if (WORD.compareAndSet(this, seen, next)) { // even the same: who enters next sees what was done before
                    return;
                }
            }
        }
    }

    /** Returns false if there is no crowd any more. */
    private boolean leaveCrowd(long change) {
        Served served = new Served();
        lock.lockToEnd();
        try {
            if (word >= 0) {
                return false;
            }
            publish(serve(left(word & ~CROWDED, change), served));
        } finally {
            lock.unlock();
        }
        served.resume();
        return true;
    }

    private long serve(long word, Served served) {
        long now = word;
        for (Place first = line.first(); first != null; first = line.first()) {
            long next = first.item() instanceof Long request ? entered(now, request) : REFUSED;
            if (next == REFUSED) {
                break;
            }
            line.remove(first);
            served.add(first);
            now = next;
        }
        return now;
    }

    private void publish(long next) {
        WORD.setRelease(this, line.isEmpty() ? next : next | CROWDED);
    }
}
