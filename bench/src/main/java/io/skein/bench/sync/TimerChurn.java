package io.skein.bench.sync;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import io.skein.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A timer is set and cancelled, as around everything that usually ends in time, while many others are far from due. One
 * operation is one of each.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimerChurn {
    private static final int SET = 50_000;
    private static final int FAR = 100_000;

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Callable<Boolean> NOTHING = () -> true;

    /** When the far ones are due: spread over an hour, and none of them while this runs. */
    private static long farMillis(int index) {
        return TimeUnit.HOURS.toMillis(1) + index * (TimeUnit.HOURS.toMillis(1) / FAR);
    }

    /** Skein's limit around a body that does nothing. */
    @Benchmark
    @OperationsPerInvocation(SET)
    public void skeinTimeout(SkeinTimers timers, Team team, Blackhole blackhole) throws InterruptedException {
        team.together(List.of(() -> {
            for (int i = 0; i < SET; i++) {
                blackhole.consume(Time.timeout(SOON, NOTHING));
            }
        }));
    }

    /** What is below that: the worker's wheel. */
    @Benchmark
    @OperationsPerInvocation(SET)
    public void skeinWheel(SkeinTimers timers, Team team, Blackhole blackhole) throws InterruptedException {
        team.together(List.of(() -> {
            for (int i = 0; i < SET; i++) {
                Timer timer = new Nothing();
                Timers.arm(timer, Timers.deadlineAfter(SOON));
                blackhole.consume(timer.cancel());
            }
        }));
    }

    @Benchmark
    @OperationsPerInvocation(SET)
    public void scheduledPool(PoolTimers timers, Blackhole blackhole) {
        for (int i = 0; i < SET; i++) {
            ScheduledFuture<?> timer = timers.pool.schedule(() -> {}, SOON.toNanos(), TimeUnit.NANOSECONDS);
            blackhole.consume(timer.cancel(false));
        }
    }

    @Benchmark
    @OperationsPerInvocation(SET)
    public void nettyWheel(NettyTimers timers, Blackhole blackhole) {
        for (int i = 0; i < SET; i++) {
            Timeout timer = timers.wheel.newTimeout(NettyTimers.NOTHING, SOON.toNanos(), TimeUnit.NANOSECONDS);
            blackhole.consume(timer.cancel());
        }
    }

    private static final class Nothing extends Timer {
        @Override
        protected void fire() {}
    }

    /** The far timers of Skein's worker, of which there is one. */
    @State(Scope.Benchmark)
    public static class SkeinTimers {
        @Setup
        public void fill(Team team) throws InterruptedException {
            team.together(List.of(() -> {
                for (int i = 0; i < FAR; i++) {
                    Timers.arm(new Nothing(), Timers.deadlineAfter(Duration.ofMillis(farMillis(i))));
                }
            }));
        }
    }

    /** The far timers of the JDK. */
    @State(Scope.Benchmark)
    public static class PoolTimers {
        final ScheduledThreadPoolExecutor pool = ScheduledPools.ofOneThread();

        @Setup
        public void fill() {
            for (int i = 0; i < FAR; i++) {
                ScheduledFuture<?> _ = pool.schedule(() -> {}, farMillis(i), TimeUnit.MILLISECONDS);
            }
        }

        @TearDown
        public void stop() {
            pool.shutdownNow();
        }
    }

    /** The far timers of Netty. */
    @State(Scope.Benchmark)
    public static class NettyTimers {
        static final TimerTask NOTHING = timeout -> {};

        final HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);

        @Setup
        public void fill() {
            for (int i = 0; i < FAR; i++) {
                Timeout _ = wheel.newTimeout(NOTHING, farMillis(i), TimeUnit.MILLISECONDS);
            }
        }

        @TearDown
        public void stop() {
            wheel.stop();
        }
    }
}
