package io.skein.sync;

import io.skein.Window;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Channels: a value goes to one receiver, a wait that is given up takes none, and a close is before or after a send. */
final class ChannelStress {
    private static final int VALUE = 7;
    private static final Duration SHORT = Duration.ofNanos(5_000);

    private ChannelStress() {}

    private static int orZero(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    // One value, two receivers.

    @Outcome(
            id = {"7, 0", "0, 7"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them has it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the value was lost or came twice")
    static final class OneHasIt {
        private OneHasIt() {}
    }

    @JCStressTest
    @JCStressMeta(OneHasIt.class)
    @State
    public static class TwoReceivers {
        private final Channel<Integer> channel = Channel.buffered(1);

        public TwoReceivers() {
            channel.trySend(VALUE);
        }

        @Actor
        public void first(II_Result result) {
            result.r1 = orZero(channel.tryReceive());
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = orZero(channel.tryReceive());
        }
    }

    /** A channel for one value, without a lock. */
    @JCStressTest
    @JCStressMeta(OneHasIt.class)
    @State
    public static class BrokenTwoReceivers {
        private final Window window = new Window();
        private volatile @Nullable Integer value = VALUE;

        private int receive() {
            Integer received = value;
            window.open();
            value = null;
            return orZero(received);
        }

        @Actor
        public void first(II_Result result) {
            result.r1 = receive();
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = receive();
        }
    }

    // A receiver that gives up, and a sender that comes just then.

    @Outcome(id = "true, 7", expect = Expect.ACCEPTABLE, desc = "sent, and received")
    @Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "not sent, and not received")
    @Outcome(expect = Expect.FORBIDDEN, desc = "they do not agree")
    static final class Agreed {
        private Agreed() {}
    }

    @JCStressTest
    @JCStressMeta(Agreed.class)
    @State
    public static class SendAgainstGivingUp {
        private final Channel<Integer> channel = Channel.rendezvous();

        @Actor
        public void sender(ZI_Result result) {
            for (int i = 0; i < 100 && !result.r1; i++) {
                result.r1 = channel.trySend(VALUE);
            }
        }

        @Actor
        public void receiver(ZI_Result result) {
            try {
                result.r2 = orZero(channel.tryReceive(SHORT));
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }
    }

    /** A receiver that gives up without asking whether it was served. */
    @JCStressTest
    @JCStressMeta(Agreed.class)
    @State
    public static class BrokenSendAgainstGivingUp {
        private final Channel<Integer> channel = Channel.rendezvous();
        private final Window window = new Window();

        @Actor
        public void sender(ZI_Result result) {
            for (int i = 0; i < 100 && !result.r1; i++) {
                result.r1 = channel.trySend(VALUE);
            }
        }

        @Actor
        public void receiver(ZI_Result result) {
            channel.lock();
            Place place = channel.unlockAndEnlist(channel.receivers, null);
            boolean served = !place.isWaiting();
            window.open();
            for (int i = 0; i < 50; i++) {
                Thread.onSpinWait();
            }
            channel.remove(channel.receivers, place);
            result.r2 = served ? orZero((Integer) place.item) : 0;
        }
    }

    // A close, after which the closer takes what is left.

    @Outcome(id = "true, 7", expect = Expect.ACCEPTABLE, desc = "sent before the close, and received after it")
    @Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "sent and lost, or refused and received")
    static final class BeforeOrAfter {
        private BeforeOrAfter() {}
    }

    @JCStressTest
    @JCStressMeta(BeforeOrAfter.class)
    @State
    public static class SendAgainstClose {
        private final Channel<Integer> channel = Channel.buffered(1);

        @Actor
        public void sender(ZI_Result result) {
            try {
                result.r1 = channel.trySend(VALUE);
            } catch (ChannelClosedException e) {
                result.r1 = false;
            }
        }

        @Actor
        public void closer(ZI_Result result) {
            channel.close();
            try {
                result.r2 = orZero(channel.tryReceive());
            } catch (ChannelClosedException e) {
                result.r2 = 0;
            }
        }
    }

    /** A sender that looks whether the channel is closed before it takes the lock. */
    @JCStressTest
    @JCStressMeta(BeforeOrAfter.class)
    @State
    public static class BrokenSendAgainstClose {
        private final Channel<Integer> values = Channel.buffered(1);
        private final Window window = new Window();
        private volatile boolean closed;

        @Actor
        public void sender(ZI_Result result) {
            boolean open = !closed;
            window.open();
            result.r1 = open && values.trySend(VALUE);
        }

        @Actor
        public void closer(ZI_Result result) {
            closed = true;
            result.r2 = orZero(values.tryReceive());
        }
    }
}
