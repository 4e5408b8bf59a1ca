package io.skein.bench.sync;

import io.netty.util.HashedWheelTimer;
import io.netty.util.TimerTask;
import io.skein.bench.UsedHeap;
import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The heap that a timer holds which is far from due, without a coroutine or thread that waits for it: used heap after a
 * collection while many are set, less that before, over how many there are.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class TimerHeap {
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);
    private static final int SMALL = 5_000;

    @Param("100000")
    public int timers;

    /** What the benchmark reports beside its time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Heap {
        public double bytes;
    }

    /** Sets as many timers as the array has places, and keeps them there. */
    private interface Crowd {
        void set(Object[] timers) throws InterruptedException;
    }

    @Benchmark
    public void skeinWheel(Team team, Heap heap) throws InterruptedException {
        heap.bytes = bytesOfEach(set -> team.together(List.of(() -> fill(set, i -> {
            Timer timer = new Nothing();
            Timers.arm(timer, Timers.deadlineAfter(Duration.ofMillis(farMillis(i))));
            return timer;
        }))));
    }

    @Benchmark
    public void scheduledPool(Heap heap) throws InterruptedException {
        try (ScheduledThreadPoolExecutor pool = ScheduledPools.ofOneThread()) {
            heap.bytes = bytesOfEach(set -> fill(set, i -> {
                ScheduledFuture<?> timer = pool.schedule(() -> {}, farMillis(i), TimeUnit.MILLISECONDS);
                return timer;
            }));
            pool.shutdownNow();
        }
    }

    @Benchmark
    public void nettyWheel(Heap heap) throws InterruptedException {
        HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);
        TimerTask nothing = timeout -> {};
        heap.bytes = bytesOfEach(set -> fill(set, i -> wheel.newTimeout(nothing, farMillis(i), TimeUnit.MILLISECONDS)));
        wheel.stop();
    }

    private static <T> void fill(Object[] set, IntFunction<T> setOne) {
        for (int i = 0; i < set.length; i++) {
            set[i] = setOne.apply(i);
        }
    }

    /** After a first small crowd, so that what is made once does not count. */
    private double bytesOfEach(Crowd crowd) throws InterruptedException {
        crowd.set(new Object[SMALL]);
        Object[] set = new Object[timers];
        long before = UsedHeap.bytes();
        try {
            crowd.set(set);
            return (double) (UsedHeap.bytes() - before) / timers;
        } finally {
            Reference.reachabilityFence(set);
        }
    }

    /** Spread over an hour, and none of them due while this runs. */
    private long farMillis(int index) {
        return HOUR + HOUR * index / timers;
    }

    private static final class Nothing extends Timer {
        @Override
        protected void fire() {}
    }
}
