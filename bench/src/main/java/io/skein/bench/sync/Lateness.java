package io.skein.bench.sync;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * How late alarms are. They are due at random within a second, the same times for everybody, and each computes a little on the thread
 * that brought it. Many of them keep that thread busy for a part of the second, and are in each other's way; few find it idle.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start()
public class Lateness {
    private static final long SEED = 6;

    /** Time to set all of them before the first is due, as a share of the time in which they are. */
    private static final double HEAD_START = 0.3;

    /** Some ten microseconds. */
    private static final long TOKENS = 10_000;

    private static final double NANOS_PER_MICRO = 1e3;

    @Param({Contenders.SKEIN, Contenders.JUC, Contenders.JDK, Contenders.NETTY})
    public String contender;

    @Param("10000")
    public int alarms;

    /** In how many milliseconds they are due. */
    @Param("1000")
    public int window;

    private Alarms keeper;

    /** What the benchmark reports beside its time: microseconds. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Late {
        public double p50;
        public double p99;
        public double max;
    }

    @Setup
    public void start() throws InterruptedException {
        keeper = Alarms.of(contender);
        long[] _ = sortedLateness(); // warms up
    }

    @TearDown
    public void stop() {
        keeper.close();
    }

    @Benchmark
    public void late(Late late) throws InterruptedException {
        long[] sorted = sortedLateness();
        late.p50 = sorted[sorted.length / 2] / NANOS_PER_MICRO;
        late.p99 = sorted[(int) (sorted.length * 0.99)] / NANOS_PER_MICRO;
        late.max = sorted[sorted.length - 1] / NANOS_PER_MICRO;
    }

    private long[] sortedLateness() throws InterruptedException {
        Random random = new Random(SEED);
        long nanos = TimeUnit.MILLISECONDS.toNanos(window);
        Log log = new Log(alarms);
        for (int i = 0; i < alarms; i++) {
            keeper.set(new Measured((long) (nanos * (HEAD_START + random.nextDouble())), i, log));
        }
        log.left.await();
        Arrays.sort(log.lateness);
        return log.lateness;
    }

    /** How late each alarm was. Each has a place of its own. */
    private static final class Log {
        final long[] lateness;
        final CountDownLatch left;

        Log(int alarms) {
            lateness = new long[alarms];
            left = new CountDownLatch(alarms);
        }
    }

    private record Measured(long nanos, int index, Log into) implements Alarms.Alarm {
        @Override
        public void ring(long begun) {
            into.lateness[index] = System.nanoTime() - begun - nanos;
            Blackhole.consumeCPU(TOKENS);
            into.left.countDown();
        }
    }
}
