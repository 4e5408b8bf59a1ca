package io.skein.sync;

import io.skein.Window;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A watch: a watcher may pass over values, but not over the newest, and it never goes back. */
final class WatchStress {
    private WatchStress() {}

    @Outcome(
            id = {"0, 2", "1, 2", "2, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "it comes to know the newest")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it takes an older one for the newest")
    static final class Newest {
        private Newest() {}
    }

    @JCStressTest
    @JCStressMeta(Newest.class)
    @State
    public static class SetAgainstWatcher {
        private final Watch<Integer> watch = Watch.of(0);
        private final Watch.Watcher<Integer> watcher = watch.watcher();

        @Actor
        public void watcher(II_Result result) {
            result.r1 = orElse(watcher.tryReceive(), -1);
        }

        @Actor
        public void setter() {
            watch.set(1);
            watch.set(2);
        }

        @Arbiter
        public void end(II_Result result) {
            result.r2 = orElse(watcher.tryReceive(), result.r1);
        }
    }

    private static int orElse(@Nullable Integer value, int other) {
        return value == null ? other : value;
    }

    /** Takes the value first, and the number by which it tells values apart after that. */
    @JCStressTest
    @JCStressMeta(Newest.class)
    @State
    public static class BrokenSetAgainstWatcher {
        private final Window window = new Window();
        private volatile int value;
        private volatile int version = 1;
        private int seen;

        private int receiveOr(int other) {
            if (seen == version) {
                return other;
            }
            int newest = value;
            window.open();
            seen = version;
            return newest;
        }

        @Actor
        public void watcher(II_Result result) {
            result.r1 = receiveOr(-1);
        }

        @Actor
        public void setter() {
            value = 1;
            version = 2;
            value = 2;
            version = 3;
        }

        @Arbiter
        public void end(II_Result result) {
            result.r2 = receiveOr(result.r1);
        }
    }
}
