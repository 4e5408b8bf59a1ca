package io.skein.internal.time;

import io.skein.internal.loom.Loom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Timers in the order of their ticks. A tick is {@value #TICK_NANOS} ns, about 33 µs. One thread owns the wheel and calls
 * everything here, threads that it carries included; except {@link #send} and {@link #forget}, which any thread may call.
 *
 * <p>The wheel has {@value #LEVELS} levels of {@value #SLOTS} slots. A slot of level 0 is one tick, a slot of each level above is
 * a whole turn of the level below. A timer is in the level of the highest digit, to the base {@value #SLOTS}, in which its tick
 * differs from {@code current}, and there in the slot of that digit. So a level holds only slots that are still to come in its
 * present turn, everything in a level is due before everything in the level above, and the first slot that is taken in the first
 * level that is not empty is found by counting zeros. The levels reach as far as {@link System#nanoTime} counts.
 *
 * <p>{@code current} moves on to the first taken slot that is not in the future. Timers of level 0 are fired there. Those of a
 * level above are moved down, each at most once per level in its life. Both go by batches of {@value #BATCH}: whoever calls
 * {@link #expire} does something else then, and calls it again, for {@link #nanosToNext} is 0. A slot that is being moved down
 * is remembered in {@code moving}, and {@code current} stays where it is until that slot is empty.
 *
 * <p>Never early: a deadline is rounded up to a tick and the clock down. Nothing depends on how often or how seldom anybody looks.
 * An owner that sleeps for {@link #nanosToNext} is late by less than a tick, beside what the system takes to wake it. The tick is
 * short so that nobody notices that, and long enough that timers which are due a few microseconds apart share one wake-up.
 *
 * <p>The mail is a stack that any thread pushes timers onto: new ones for this wheel, and cancelled ones that are in it. The owner
 * takes the whole stack, when it looks at the wheel anyway. Nobody wakes it for that, unless it asks for it: an owner that has
 * nothing else to wake it says until which tick it {@linkplain #sleepUntil sleeps}, looks whether it has mail, and sleeps;
 * who sends looks at that tick after the mail is in, and unparks the owner if the timer is due by then, or was cancelled and may
 * be the last of the slot that the owner sleeps for. One of the two sees the other.
 */
public final class TimerWheel {
    private static final int TICK_BITS = 15;

    /** The length of a tick: a deadline is rounded up by less than that. */
    public static final long TICK_NANOS = 1L << TICK_BITS;

    /** So many timers are fired or moved in one go. */
    static final int BATCH = 128;

    /** How much later a timer is fired again that has found no memory: about 10 ms. */
    private static final long MEMORY_RETRY_TICKS = 10_000_000 / TICK_NANOS;

    private static final int DIGIT_BITS = 6;
    private static final int SLOTS = 1 << DIGIT_BITS;
    private static final int LEVELS = 8;

    /** The last tick that the levels reach, 292 years after the start. */
    private static final long LAST_TICK = (1L << (LEVELS * DIGIT_BITS)) - 1;

    private static final int NONE = -1;

    /** An owner that nobody has to wake, since it runs or is woken by others. */
    private static final long AWAKE = Long.MIN_VALUE;

    /** So many letters are read in one go. */
    private static final int LETTERS = 1024;

    private static final VarHandle MAIL;

    static {
        try {
            MAIL = MethodHandles.lookup().findVarHandle(TimerWheel.class, "mail", Timer.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Lies in the mail of a wheel that takes no more. */
    private static final Timer CLOSED = new Timer() {
        @Override
        protected void fire() {}
    };

    private final LongSupplier clock;
    private final Thread owner;
    private final long startNanos;

    /** The first timer of each slot; the others follow in a circle, in the order in which they came. */
    private final @Nullable Timer[] firsts = new Timer[LEVELS * SLOTS];

    /** For each slot that is taken, a tick before which nothing in it is due. */
    private final long[] earliest = new long[LEVELS * SLOTS];

    /** The slots of each level that are taken, a bit each, and the levels that have any. */
    private final long[] taken = new long[LEVELS];

    private int takenLevels;

    /** Everything due before this tick has fired. */
    private long current;

    /** The slot that is being moved down, or {@link #NONE}. */
    private int moving = NONE;

    private int size;

    /** Letters that were taken from the mail and not read yet. */
    private @Nullable Timer unread;

    private volatile @Nullable Timer mail;

    /** The tick until which the owner sleeps and wants to be woken, or {@link #AWAKE}. */
    private volatile long sleepsUntil = AWAKE;

    /** The last tick of the slot that it sleeps for: what is cancelled up to there may leave it nothing. Written before the above. */
    private long sleepsOver;

    /**
     * An empty wheel.
     *
     * @param clock a time in nanoseconds that only differences are taken of, such as {@link System#nanoTime}
     * @param owner the thread that owns it
     */
    public TimerWheel(LongSupplier clock, Thread owner) {
        this.clock = clock;
        this.owner = owner;
        this.startNanos = clock.getAsLong();
    }

    /** Whether no timer is in it. Cancelled ones that its owner has not heard of are. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** How many timers are in it. */
    public int size() {
        return size;
    }

    // Coming and going.

    /** Puts a new timer in. */
    public void arm(Timer timer, long deadlineNanos) {
        timer.arm(this, tickAtOrAfter(deadlineNanos));
        link(timer);
    }

    /**
     * Puts a new timer into the mail. Any thread may call it.
     *
     * @return false if this wheel takes no more
     */
    boolean send(Timer timer, long deadlineNanos) {
        timer.send(this, tickAtOrAfter(deadlineNanos));
        boolean accepted = push(timer, false);
        if (!accepted) {
            timer.refused();
        }
        return accepted;
    }

    /** Takes a timer out that was cancelled. Any thread may call it; from another than the owner's it goes by mail. */
    void forget(Timer timer) {
        if (Loom.currentCarrier() != owner) {
            push(timer, true);
        } else if (timer.slot != Timer.NOWHERE) {
            unlink(timer);
        }
    }

    private boolean push(Timer timer, boolean cancelled) {
        long tick = timer.tick; // from the push on it is the owner's
        Timer top;
        do {
            top = mail;
            if (top == CLOSED) {
                return false;
            }
            timer.below = top;
        } while (!MAIL.compareAndSet(this, top, timer));
        long wakes = sleepsUntil;
        if (tick <= (cancelled && wakes != AWAKE ? sleepsOver : wakes)) {
            LockSupport.unpark(owner);
        }
        return true;
    }

    /** Asks to be woken by mail of timers that are due by then. Called by the owner, before it looks for mail and parks. */
    void sleepUntil(long deadlineNanos) {
        long until = tickAtOrAfter(deadlineNanos);
        sleepsOver = takenLevels == 0 ? until : Math.max(until, lastTickOf(firstSlot()));
        sleepsUntil = until;
    }

    /** Called by the owner, who has been woken or has not slept. */
    void wakeUp() {
        sleepsUntil = AWAKE;
    }

    boolean hasMail() {
        return mail != null;
    }

    /** Refuses mail from now on, unless there is some. */
    boolean tryClose() {
        return MAIL.compareAndSet(this, null, CLOSED);
    }

    /** Takes out what was cancelled elsewhere, and puts in what was sent. */
    private void readMail() {
        if (unread == null) {
            if (mail == null) {
                return;
            }
            unread = (Timer) MAIL.getAndSet(this, null);
        }
        for (int read = 0; read < LETTERS && unread != null; read++) {
            Timer letter = unread;
            unread = letter.below;
            letter.below = null;
            if (letter.slot != Timer.NOWHERE) {
                unlink(letter);
            } else if (letter.arrive()) {
                link(letter);
            }
        }
    }

    // Time.

    /** The first tick that is not before a deadline. */
    private long tickAtOrAfter(long deadlineNanos) {
        long since = deadlineNanos - startNanos;
        if (since < Long.MIN_VALUE / 2) { // not long ago, but further away than a long counts
            since = Long.MAX_VALUE;
        }
        return since <= 0 ? 0 : Math.min(((since - 1) >> TICK_BITS) + 1, LAST_TICK);
    }

    /** How long from now nothing will be due: 0 if something is, {@link Long#MAX_VALUE} if there is nothing. */
    public long nanosToNext() {
        readMail();
        if (unread != null || (moving != NONE && firsts[moving] != null)) {
            return 0;
        }
        if (takenLevels == 0) {
            return Long.MAX_VALUE;
        }
        long dueNanos = startNanos + earliest[firstSlot()] * TICK_NANOS;
        return Math.max(0, dueNanos - clock.getAsLong());
    }

    /** Fires what is due, a batch at most. With nothing in the wheel it does not look at the clock. */
    public void expire() {
        readMail();
        if (size == 0) {
            return;
        }
        long now = (clock.getAsLong() - startNanos) >> TICK_BITS;
        for (int i = 0; i < BATCH; i++) {
            int slot = dueSlot(now);
            if (slot == NONE) {
                current = Math.max(current, now);
                return;
            }
            Timer timer = firsts[slot];
            if (timer != null) {
                unlink(timer);
                if (slot < SLOTS) {
                    if (!timer.expire()) {
                        timer.armAgain(now + MEMORY_RETRY_TICKS);
                        link(timer);
                    }
                } else {
                    link(timer);
                }
            }
        }
    }

    /** The slot to take the next timer from, or {@link #NONE} if that is in the future. Moves {@code current} there. */
    private int dueSlot(long now) {
        if (moving != NONE && firsts[moving] != null) {
            return moving;
        }
        moving = NONE;
        if (takenLevels == 0) {
            return NONE;
        }
        int slot = firstSlot();
        int level = slot >> DIGIT_BITS;
        int shift = level * DIGIT_BITS;
        long turn = current & -(1L << (shift + DIGIT_BITS));
        long tick = turn | (long) (slot & (SLOTS - 1)) << shift;
        if (tick > now) {
            return NONE;
        }
        current = tick;
        if (level > 0) {
            moving = slot;
        }
        return slot;
    }

    /** The last tick of a slot in the present turn of its level. */
    private long lastTickOf(int slot) {
        int shift = (slot >> DIGIT_BITS) * DIGIT_BITS;
        long turn = current & -(1L << (shift + DIGIT_BITS));
        return turn | ((long) (slot & (SLOTS - 1)) << shift) | ((1L << shift) - 1);
    }

    private int firstSlot() {
        int level = Integer.numberOfTrailingZeros(takenLevels);
        return (level << DIGIT_BITS) + Long.numberOfTrailingZeros(taken[level]);
    }

    // The slots.

    private void link(Timer timer) {
        long tick = Math.max(timer.tick, current);
        int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros((tick ^ current) | 1)) / DIGIT_BITS;
        int digit = (int) (tick >>> (level * DIGIT_BITS)) & (SLOTS - 1);
        int slot = (level << DIGIT_BITS) + digit;
        Timer first = firsts[slot];
        Timer last = first == null ? null : first.previous;
        // No calls from here on: they might find no stack, and leave this half done.
        if (first == null || last == null) {
            timer.previous = timer;
            timer.next = timer;
            firsts[slot] = timer;
            earliest[slot] = tick;
            taken[level] |= 1L << digit;
            takenLevels |= 1 << level;
        } else {
            timer.previous = last;
            timer.next = first;
            last.next = timer;
            first.previous = timer;
            if (tick < earliest[slot]) {
                earliest[slot] = tick;
            }
        }
        timer.slot = slot;
        size++;
    }

    private void unlink(Timer timer) {
        int slot = timer.slot;
        Timer before = timer.previous;
        Timer after = timer.next;
        if (before == null || after == null) {
            throw new IllegalStateException("the timer is in no slot");
        }
        if (after == timer) {
            firsts[slot] = null;
            int level = slot >> DIGIT_BITS;
            taken[level] &= ~(1L << slot); // the shift takes the digit alone
            if (taken[level] == 0) {
                takenLevels &= ~(1 << level);
            }
        } else {
            before.next = after;
            after.previous = before;
            if (firsts[slot] == timer) {
                firsts[slot] = after;
            }
        }
        timer.previous = null;
        timer.next = null;
        timer.slot = Timer.NOWHERE;
        size--;
    }
}
