package io.skein.bench.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Two coroutines on one thread hand over to each other. One operation is one handover: wake the other, suspend, and
 * the other runs.
 *
 * <p>One thread runs both, so plain fields do.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class PingPong {
    private static final int HANDOVERS = 100_000;
    private static final int FIRST = 0;
    private static final int SECOND = 1;

    private int turn;

    /** Virtual threads that park, and unpark each other. */
    @Benchmark
    @OperationsPerInvocation(HANDOVERS)
    public void virtualThreads(Host host) throws InterruptedException {
        host.coroutines().blockOn(() -> {
            Thread first = Thread.currentThread();
            Thread second = host.coroutines().start(() -> play(SECOND, first));
            play(FIRST, second);
            awaitTurn(FIRST);
        });
    }

    private void play(int self, Thread other) {
        for (int i = 0; i < HANDOVERS / 2; i++) {
            awaitTurn(self);
            turn = 1 - self;
            LockSupport.unpark(other);
        }
    }

    private void awaitTurn(int self) {
        while (turn != self) {
            LockSupport.park();
        }
    }

    /** Kotlin coroutines that suspend, and resume each other. */
    @Benchmark
    @OperationsPerInvocation(HANDOVERS)
    public void kotlin() {
        new KotlinHandover().run(HANDOVERS);
    }

    /** What lies beneath every virtual thread, without threads and scheduler: two continuations, run in turn. */
    @Benchmark
    @OperationsPerInvocation(HANDOVERS)
    public void continuations() {
        RawContinuation first = new RawContinuation(PingPong::suspendForEver);
        RawContinuation second = new RawContinuation(PingPong::suspendForEver);
        for (int i = 0; i < HANDOVERS / 2; i++) {
            first.run();
            second.run();
        }
    }

    private static void suspendForEver() {
        while (true) {
            RawContinuation.suspend();
        }
    }
}
