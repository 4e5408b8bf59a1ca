package io.skein.internal.sync;

import io.skein.internal.Headroom;
import io.skein.internal.sync.WaitQueue.Place;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a mutex, who is next, and who waits for a signal first. Any thread may take it; only its holder gives it.
 *
 * <pre>
 *   FREE            -> HELD              take, by compare-and-set
 *   HELD            -> FREE              give, by compare-and-set
 *   FREE, HELD      -> + CROWDED         whoever finds it held and gets in line, under the lock
 *   HELD + CROWDED  -> CROWDED           give: the first in line is nudged, and anybody may take it
 *   HELD + CROWDED  -> HELD (+ CROWDED)  give, to the first in line, which has been nudged in vain often enough
 *   CROWDED         -> HELD (+ CROWDED)  take, under the lock
 * </pre>
 *
 * <p>So a holder that gives and takes again at once need not wait for a switch to somebody else and back, and whoever is first in
 * line wakes up in vain a bounded number of times. How many others take it before it has woken up depends on how long that lasts.
 *
 * <p>Invariants. A crowded word is changed only under the lock. Whenever the lock is free, the word is crowded if and only if
 * somebody is in line. If it is free and crowded, the first in line is nudged and has not looked yet; when it looks, it takes the
 * mutex or is not nudged any more. Whoever left the line without having removed itself holds the mutex.
 */
public final class Tenure {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int CROWDED = 2;

    /** So often the first in line may wake up and find that somebody else was faster. */
    private static final int NUDGES = 4;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Tenure.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int nudges;
    private final BriefLock lock = new BriefLock();
    private final WaitQueue line = new WaitQueue();
    private volatile int word;

    /**
     * Set by the holder when it has taken the mutex, cleared by it before it gives. So a thread that reads its own name holds it.
     * For others it is a hint.
     */
    private @Nullable Thread holder;

    // Guarded by the lock; about the first in line.
    private boolean nudged;
    private int nudgedInVain;

    public Tenure() {
        this(NUDGES);
    }

    /**
     * @param nudges how often the first in line may be nudged in vain; with 0 it is always given the mutex
     */
    public Tenure(int nudges) {
        this.nudges = nudges;
    }

    public @Nullable Thread holder() {
        return holder;
    }

    public boolean isHeldByCaller() {
        return holder == Thread.currentThread();
    }

    public boolean isHeld() {
        return (word & HELD) != 0;
    }

    /** {@link WaitQueue#described} of its line. */
    public String waitersDescribed() {
        return line.described();
    }

    /** Whether nobody is in line. For tests. */
    public boolean isDeserted() {
        return (word & CROWDED) == 0;
    }

    /** Takes it if it is free. */
    public boolean tryTake() {
        Headroom.toBegin(); // whoever takes will give
        int seen = word;
        if ((seen == FREE && WORD.compareAndSet(this, FREE, HELD)) || (seen == CROWDED && overtake())) {
            holder = Thread.currentThread();
            return true;
        }
        return false;
    }

    private boolean overtake() {
        lock.lock();
        try {
            boolean free = word == CROWDED;
            if (free) {
                publish(HELD);
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    /** Takes it. Returns false if patience came to an end before. */
    public boolean take(Patience patience) throws InterruptedException {
        return tryTake() || takeInTurn(patience);
    }

    /** Takes it, whatever interrupts. */
    public void takeStubbornly() {
        try {
            take(Patience.STUBBORN);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted in spite of itself", e);
        }
    }

    private boolean takeInTurn(Patience patience) throws InterruptedException {
        patience.checkInterrupt();
        Place place = new Place(new Waiter(), null);
        boolean taken = !linedUp(place) || awaitTurn(place, patience);
        if (taken) {
            holder = Thread.currentThread();
        }
        return taken || patience.gaveUp();
    }

    /** Gets in line, unless it can be taken after all: then returns false. */
    private boolean linedUp(Place place) {
        lock.lock();
        try {
            int seen = (int) WORD.getAndBitwiseOr(this, CROWDED);
            if ((seen & HELD) == 0) {
                publish(HELD);
                return false;
            }
            line.add(place);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits in line. Returns false if patience came to an end before; then, and if the wait fails, it is out of line. */
    private boolean awaitTurn(Place place, Patience patience) {
        while (true) {
            boolean resumed;
            try {
                resumed = patience.await(place.waiter());
            } catch (Throwable e) { // for lack of stack or memory
                if (look(place, false) == Turn.GIVEN_UP) {
                    throw e;
                }
                return true;
            }
            Turn turn = look(place, resumed);
            if (turn != Turn.NOT_YET) {
                return turn == Turn.TAKEN;
            }
        }
    }

    private enum Turn {
        TAKEN,
        NOT_YET,
        GIVEN_UP
    }

    /** What there is for somebody in line who was resumed, or gives up. Only who was resumed stays in line and waits again. */
    private Turn look(Place place, boolean resumed) {
        lock.lockAgain();
        try {
            if (!line.contains(place)) {
                return Turn.TAKEN;
            }
            boolean free = !isHeld();
            if (free || !resumed) { // a free one is taken even by somebody who gives up: then no nudge is lost
                remove(place);
                publish(HELD);
                return free ? Turn.TAKEN : Turn.GIVEN_UP;
            }
            if (nudged && line.first() == place) {
                nudged = false;
                nudgedInVain++;
            }
            place.waiter().beginAgain();
            return Turn.NOT_YET;
        } finally {
            lock.unlock();
        }
    }

    /** Gives it back. To be called by the holder. */
    public void give() {
        Headroom.toEnd(); // or nothing is changed, and it may be called again
        holder = null;
        if (WORD.compareAndSet(this, HELD, FREE)) {
            return;
        }
        Place woken = giveToCrowd();
        if (woken != null) {
            woken.waiter().resumeToEnd();
        }
    }

    private @Nullable Place giveToCrowd() {
        lock.lockToEnd();
        try {
            Place first = line.first();
            if (first != null && nudgedInVain >= nudges) {
                remove(first);
                publish(HELD);
                return first;
            }
            boolean looksAnyway = nudged;
            nudged = first != null;
            publish(FREE);
            return looksAnyway ? null : first;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a signal, without holding it meanwhile.
     *
     * @param waiting those who wait for the same; only this class touches it
     * @return whether there was one; however this ends, the caller holds the mutex again, unless the wait for that fails
     */
    public boolean awaitSignal(WaitQueue waiting, Patience patience) throws InterruptedException {
        patience.checkInterrupt();
        Place place = new Place(new Waiter(), null);
        lock.lock();
        waiting.add(place);
        lock.unlock();
        give();
        boolean signalled;
        try {
            signalled = patience.await(place.waiter());
        } catch (Throwable e) { // for lack of stack or memory
            signalled = !removed(place, waiting);
            if (!signalled) {
                takeStubbornly();
                throw e;
            }
        }
        if (!signalled && removed(place, waiting)) {
            takeStubbornly();
            return patience.gaveUp();
        }
        awaitTurn(place, Patience.STUBBORN); // one that was signalled is in the mutex's line
        holder = Thread.currentThread();
        return true;
    }

    /** Takes somebody who gives up out of those who wait. One that was signalled goes on waiting for the mutex. */
    private boolean removed(Place place, WaitQueue waiting) {
        lock.lockAgain();
        try {
            if (waiting.contains(place)) {
                waiting.remove(place);
                return true;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Moves those who wait into the mutex's line: up to so many. To be called by the holder, which wakes them by giving. */
    public void signal(WaitQueue waiting, int count) {
        lock.lock();
        try {
            for (int i = 0; i < count; i++) {
                Place first = waiting.poll();
                if (first == null) {
                    break;
                }
                line.add(first);
                WORD.getAndBitwiseOr(this, CROWDED);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a place out of the line. */
    private void remove(Place place) {
        if (line.first() == place) {
            nudged = false;
            nudgedInVain = 0;
        }
        line.remove(place);
    }

    /** Says whether it is held, and whether somebody is in line. In one step, since others may take what is free and not crowded. */
    private void publish(int heldOrFree) {
        WORD.setRelease(this, line.isEmpty() ? heldOrFree : heldOrFree | CROWDED);
    }
}
