package io.skein.bench.scheduler;

import io.skein.Coroutine;
import io.skein.Skein;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Pieces of pure computation, all given to the first worker: the others get only what they steal. One operation is one
 * piece, so with two workers it should cost half the time. Platform threads that count down the
 * pieces show what the machine itself gives to two instead of one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start()
public class SharedWork {
    private static final int PIECES = 256;

    /** Some ten microseconds: long beside a steal, short beside a watchdog's patience. */
    private static final long TOKENS = 10_000;

    private static final Callable<Boolean> PIECE = () -> {
        Blackhole.consumeCPU(TOKENS);
        return true;
    };

    @Param({Contenders.SKEIN, Contenders.THREADS})
    public String contender;

    @Param({"1", "2"})
    public int workers;

    private Crew crew;

    @Setup
    public void start() {
        crew = contender.equals(Contenders.SKEIN) ? new SkeinCrew(workers) : new ThreadCrew(workers);
    }

    @TearDown
    public void stop() {
        crew.close();
    }

    @Benchmark
    @OperationsPerInvocation(PIECES)
    public void allOnTheFirstWorker() throws Exception {
        crew.work();
    }

    private interface Crew extends AutoCloseable {
        void work() throws Exception;

        @Override
        void close();
    }

    private static final class SkeinCrew implements Crew {
        private final Skein skein;

        SkeinCrew(int workers) {
            skein = Skein.builder().workers(workers).start();
        }

        @Override
        public void work() throws InterruptedException {
            skein.blockOn(() -> {
                List<Coroutine<Boolean>> pieces = new ArrayList<>(PIECES);
                for (int i = 0; i < PIECES; i++) {
                    pieces.add(skein.spawnOn(0, PIECE));
                }
                for (Coroutine<Boolean> piece : pieces) {
                    piece.join();
                }
            });
        }

        @Override
        public void close() {
            skein.close();
        }
    }

    private static final class ThreadCrew implements Crew {
        private final ExecutorService pool;
        private final int workers;

        ThreadCrew(int workers) {
            this.workers = workers;
            pool = Executors.newFixedThreadPool(workers);
        }

        @Override
        public void work() throws Exception {
            AtomicInteger taken = new AtomicInteger();
            Callable<Boolean> takeAndWork = () -> {
                while (taken.getAndIncrement() < PIECES) {
                    PIECE.call();
                }
                return true;
            };
            for (Future<Boolean> end : pool.invokeAll(Collections.nCopies(workers, takeAndWork))) {
                end.get();
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
