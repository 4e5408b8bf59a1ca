package io.skein.internal.time;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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

    /** Who arms timers with the thread there is, and starts the next one when there is none. Any thread may call it. */
    static final class Office {
        private final AtomicReference<@Nullable TimerThread> current = new AtomicReference<>();
        private final Consumer<Thread> starter;

        /** For tests, which may fail to start a thread. */
        Office(Consumer<Thread> starter) {
            this.starter = starter;
        }

        void arm(Timer timer, long deadlineNanos) {
            TimerThread thread = current.get();
            while (thread == null || !thread.accepts(timer, deadlineNanos)) {
                TimerThread next = new TimerThread();
                starter.accept(next); // before anybody knows it: if the system has no thread to give, no timer is lost
                if (!current.compareAndSet(thread, next)) {
                    next.dismiss();
                }
                thread = current.get();
            }
        }
    }

    private static final Office OFFICE = new Office(Thread::start);

    private final TimerWheel wheel = new TimerWheel(System::nanoTime, this);
    private final AtomicInteger armed = new AtomicInteger();
    private volatile boolean dismissed;

    private TimerThread() {
        super(null, null, "skein-timers", 0, false);
        setDaemon(true);
    }

    /** Arms a timer. */
    static void arm(Timer timer, long deadlineNanos) {
        OFFICE.arm(timer, deadlineNanos);
    }

    /** Ends it, since another one was faster and nobody knows this one. */
    private void dismiss() {
        dismissed = true;
        LockSupport.unpark(this);
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
        while (!dismissed && !isOver()) {
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
