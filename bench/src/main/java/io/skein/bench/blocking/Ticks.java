package io.skein.bench.blocking;

import io.skein.Coroutine;
import io.skein.Scheduling;
import io.skein.Skein;
import io.skein.bench.sync.Contenders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * As many coroutines as there are workers make a blocking call, again and again, while another one sleeps for 10 ms at a time. What is
 * counted is how often that one wakes up. The threads are left as they are at the end: some block until the process ends.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters
public class Ticks {
    private static final int TICK_MILLIS = 10;

    /** All calls are made by then, and what the scheduler does about them is done. */
    private static final int SETTLING_MILLIS = 100;

    @Param
    public Call.Kind kind;

    @Param({Contenders.SKEIN, Contenders.SKEIN_APART, Contenders.JDK})
    public String contender;

    /** The JDK's scheduler takes the number of its carriers from the flags of the JVM. */
    @Param("1")
    public int workers;

    /** In milliseconds. */
    @Param("600")
    public int window;

    private volatile boolean ended;

    /** What the benchmark reports beside its time: milliseconds from one tick to the next. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Pace {
        public double millis;
    }

    /** Starts a coroutine for the worker of that number, or of any where they are shared. */
    private interface Starter {
        void start(int worker, Runnable body);
    }

    @Benchmark
    public void ticks(Pace pace) throws IOException, InterruptedException {
        Starter starter = starter();
        List<Call> calls = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(workers);
        for (int worker = 0; worker < workers; worker++) {
            Call call = kind.open();
            calls.add(call);
            starter.start(worker, () -> {
                begun.countDown();
                block(call);
            });
        }
        begun.await();
        AtomicInteger ticks = new AtomicInteger();
        starter.start(0, () -> tick(ticks));
        Thread.sleep(SETTLING_MILLIS);
        int before = ticks.get();
        long start = System.nanoTime();
        Thread.sleep(window);
        int counted = ticks.get() - before;
        pace.millis = (System.nanoTime() - start) / 1e6 / Math.max(1, counted);
        ended = true;
        for (Call call : calls) {
            call.close();
        }
    }

    private Starter starter() {
        if (contender.equals(Contenders.JDK)) {
            return (_, body) -> Thread.startVirtualThread(body);
        }
        boolean apart = contender.equals(Contenders.SKEIN_APART);
        Skein skein = Skein.builder()
                .workers(workers)
                .scheduling(apart ? Scheduling.PINNED : Scheduling.STEALING)
                .start();
        return (worker, body) -> {
            if (apart) {
                Coroutine<?> _ = skein.spawnOn(worker, body::run);
            } else {
                Coroutine<?> _ = skein.spawn(body::run);
            }
        };
    }

    private void block(Call call) {
        try {
            while (!ended && call.make() >= 0) {
                // Once more.
            }
        } catch (IOException failure) {
            if (!ended) {
                throw new IllegalStateException(kind + " does not block", failure);
            }
        }
    }

    private void tick(AtomicInteger ticks) {
        try {
            while (!ended) {
                Thread.sleep(TICK_MILLIS);
                ticks.incrementAndGet();
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
