package io.skein.internal.time;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that keeps the timers of threads which no worker carries. There is one at a time: started when it is first needed,
 * and gone when it has had no timer for {@value #IDLE_MILLIS} milliseconds.
 *
 * <p>Timers come and go by the wheel's mail, which wakes the thread if it would sleep too long, or for a timer that is no more. So
 * that cancelled timers do not pile up behind one that is due earlier, it is woken for every {@value #ARMED} that are armed too.
 *
 * <p>It ends by closing its mail, which it can do only when there is none. A sender that finds the mail closed starts the next
 * thread.
 */
final class TimerThread extends Thread {
    private static final int IDLE_MILLIS = 200;
    private static final long IDLE_NANOS = IDLE_MILLIS * 1_000_000L;
    private static final int ARMED = 1024;

    private static final AtomicReference<@Nullable TimerThread> CURRENT = new AtomicReference<>();

    private final TimerWheel wheel = new TimerWheel(System::nanoTime, this);
    private final AtomicInteger armed = new AtomicInteger();

    private TimerThread() {
        super(null, null, "skein-timers", 0, false);
        setDaemon(true);
    }

    /** Arms a timer. */
    static void arm(Timer timer, long deadlineNanos) {
        TimerThread thread = CURRENT.get();
        while (thread == null || !thread.accepts(timer, deadlineNanos)) {
            TimerThread next = new TimerThread();
            if (CURRENT.compareAndSet(thread, next)) {
                next.startOrGiveUp();
            }
            thread = CURRENT.get();
        }
    }

    private void startOrGiveUp() {
        try {
            start();
        } catch (Throwable e) { // the system has no thread to give; the next timer asks again
            CURRENT.compareAndSet(this, null);
            throw e;
        }
    }

    private boolean accepts(Timer timer, long deadlineNanos) {
        if (!wheel.send(timer, deadlineNanos)) {
            return false;
        }
        if (armed.incrementAndGet() % ARMED == 0) {
            LockSupport.unpark(this);
        }
        return true;
    }

    @Override
    public void run() {
        while (!isOver()) {
            try {
                wheel.expire();
            } catch (Throwable e) { // a timer's failure, most likely for lack of memory, is not the others'
                getUncaughtExceptionHandler().uncaughtException(this, e);
            }
        }
    }

    /** Sleeps until something is due or comes. Returns whether nothing did for a long time. */
    private boolean isOver() {
        long left = wheel.nanosToNext();
        if (left == 0) {
            return false;
        }
        boolean idle = left == Long.MAX_VALUE;
        long wakeNanos = System.nanoTime() + (idle ? IDLE_NANOS : left);
        wheel.sleepUntil(wakeNanos);
        if (!wheel.hasMail()) {
            LockSupport.parkNanos(this, wakeNanos - System.nanoTime());
        }
        wheel.wakeUp();
        return idle && System.nanoTime() - wakeNanos >= 0 && wheel.tryClose();
    }
}
