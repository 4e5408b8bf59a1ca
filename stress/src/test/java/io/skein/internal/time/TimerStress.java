package io.skein.internal.time;

import io.skein.Window;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A timer that is due is cancelled by another thread: it fires or it is cancelled, and it is out of the wheel. And a timer that is
 * sent to a wheel that is just being closed: it is taken or the wheel is closed, never both.
 */
final class TimerStress {
    private static final long LATER = 10 * TimerWheel.TICK_NANOS;

    private TimerStress() {}

    private static final class Counting extends Timer {
        private int fired;

        @Override
        protected void fire() {
            fired++;
        }
    }

    /** A clock that goes from 0 to LATER at its second look. */
    private static TimerWheel newWheel() {
        long[] looks = new long[1];
        return new TimerWheel(() -> looks[0]++ == 0 ? 0 : LATER, new Thread());
    }

    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "fired, and the cancel came too late")
    @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "cancelled")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both, neither, or left in the wheel")
    static final class FiredOrCancelled {
        private FiredOrCancelled() {}
    }

    @JCStressTest
    @JCStressMeta(FiredOrCancelled.class)
    @State
    public static class CancelAgainstExpiry {
        private final TimerWheel wheel = newWheel();
        private final Counting timer = new Counting();

        public CancelAgainstExpiry() {
            wheel.arm(timer, 1);
        }

        @Actor
        public void owner() {
            wheel.expire();
        }

        @Actor
        public void canceller(III_Result result) {
            result.r2 = timer.cancel() ? 1 : 0;
        }

        @Arbiter
        public void after(III_Result result) {
            wheel.expire();
            result.r1 = timer.fired;
            result.r3 = wheel.size();
        }
    }

    @JCStressTest
    @JCStressMeta(FiredOrCancelled.class)
    @State
    public static class CancelAgainstArrival {
        private final TimerWheel wheel = newWheel();
        private final Counting timer = new Counting();

        public CancelAgainstArrival() {
            wheel.send(timer, 1);
        }

        @Actor
        public void owner() {
            wheel.nanosToNext();
            wheel.expire();
        }

        @Actor
        public void canceller(III_Result result) {
            result.r2 = timer.cancel() ? 1 : 0;
        }

        @Arbiter
        public void after(III_Result result) {
            wheel.expire();
            result.r1 = timer.fired;
            result.r3 = wheel.size();
        }
    }

    /** A timer whose end is looked up and noted in two steps. */
    private static final class BrokenTimer {
        private final Window window = new Window();
        private volatile boolean over;
        private int fired;

        void expire() {
            if (!over) {
                window.open();
                over = true;
                fired++;
            }
        }

        boolean cancel() {
            if (over) {
                return false;
            }
            window.open();
            over = true;
            return true;
        }
    }

    @JCStressTest
    @JCStressMeta(FiredOrCancelled.class)
    @State
    public static class BrokenCancelAgainstExpiry {
        private final BrokenTimer timer = new BrokenTimer();

        @Actor
        public void owner() {
            timer.expire();
        }

        @Actor
        public void canceller(III_Result result) {
            result.r2 = timer.cancel() ? 1 : 0;
        }

        @Arbiter
        public void after(III_Result result) {
            result.r1 = timer.fired;
        }
    }

    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "taken, so the wheel stays open")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "closed, and the sender knows")
    @Outcome(expect = Expect.FORBIDDEN, desc = "sent to nobody, or refused for nothing")
    static final class TakenOrClosed {
        private TakenOrClosed() {}
    }

    @JCStressTest
    @JCStressMeta(TakenOrClosed.class)
    @State
    public static class SendAgainstClose {
        private final TimerWheel wheel = newWheel();

        @Actor
        public void sender(II_Result result) {
            result.r1 = wheel.send(new Counting(), 1) ? 1 : 0;
        }

        @Actor
        public void owner(II_Result result) {
            result.r2 = wheel.tryClose() ? 1 : 0;
        }
    }

    /** Mail that is looked at and closed in two steps. */
    private static final class BrokenMail {
        private final Window window = new Window();
        private volatile int letters;
        private volatile boolean closed;

        boolean send() {
            if (closed) {
                return false;
            }
            window.open();
            letters = 1;
            return true;
        }

        boolean tryClose() {
            if (letters > 0) {
                return false;
            }
            window.open();
            closed = true;
            return true;
        }
    }

    @JCStressTest
    @JCStressMeta(TakenOrClosed.class)
    @State
    public static class BrokenSendAgainstClose {
        private final BrokenMail mail = new BrokenMail();

        @Actor
        public void sender(II_Result result) {
            result.r1 = mail.send() ? 1 : 0;
        }

        @Actor
        public void owner(II_Result result) {
            result.r2 = mail.tryClose() ? 1 : 0;
        }
    }
}
