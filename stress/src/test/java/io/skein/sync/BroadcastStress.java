package io.skein.sync;

import static io.skein.sync.SemaphoreStress.number;

import io.skein.Window;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A broadcast that is full after one value: of two who send, one does, and the subscriber receives its value. */
final class BroadcastStress {
    private BroadcastStress() {}

    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first was sent")
    @Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "the second was sent")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a value was lost, or sent to where there was no room")
    static final class OneSent {
        private OneSent() {}
    }

    @JCStressTest
    @JCStressMeta(OneSent.class)
    @State
    public static class TwoSend {
        private final Broadcast<Integer> broadcast = Broadcast.waiting(1);
        private final Subscription<Integer> subscription = broadcast.subscribe();

        @Actor
        public void one(III_Result result) {
            result.r1 = number(broadcast.trySend(1));
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = number(broadcast.trySend(2));
        }

        @Arbiter
        public void end(III_Result result) {
            Integer value = subscription.tryReceive();
            result.r3 = value == null || subscription.tryReceive() != null ? 0 : value;
        }
    }

    /** Looks for room and fills it in two steps. */
    @JCStressTest
    @JCStressMeta(OneSent.class)
    @State
    public static class BrokenTwoSend {
        private final Window window = new Window();
        private volatile @Nullable Integer value;

        private boolean trySend(int sent) {
            if (value != null) {
                return false;
            }
            window.open();
            value = sent;
            return true;
        }

        @Actor
        public void one(III_Result result) {
            result.r1 = number(trySend(1));
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = number(trySend(2));
        }

        @Arbiter
        public void end(III_Result result) {
            Integer seen = value;
            result.r3 = seen == null ? 0 : seen;
        }
    }
}
