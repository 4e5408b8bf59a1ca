package io.skein.bench.coroutine;

import io.skein.Coroutine;
import io.skein.Skein;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.infra.Blackhole;

/** A coroutine has another one make a value: in a scope of its own, or without one. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ForkJoin {
    private static final int FORKED = 10_000;
    private static final Callable<Boolean> BODY = () -> true;

    /** Opens a scope, forks one child, joins, and closes the scope. */
    @Benchmark
    @OperationsPerInvocation(FORKED)
    public void scope(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        worker.run(() -> {
            for (int i = 0; i < FORKED; i++) {
                try (io.skein.Scope<Boolean, ?> scope = io.skein.Scope.open()) {
                    Coroutine<Boolean> child = scope.fork(BODY);
                    scope.join();
                    blackhole.consume(child.resultNow());
                }
            }
        });
    }

    /** Forks one child after the other in a scope that is open, and joins each. */
    @Benchmark
    @OperationsPerInvocation(FORKED)
    public void forkInScope(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        worker.run(() -> {
            try (io.skein.Scope<Boolean, ?> scope = io.skein.Scope.open()) {
                for (int i = 0; i < FORKED; i++) {
                    Coroutine<Boolean> child = scope.fork(BODY);
                    scope.join();
                    blackhole.consume(child.resultNow());
                }
            }
        });
    }

    @Benchmark
    @OperationsPerInvocation(FORKED)
    public void spawn(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        Skein skein = worker.skein();
        worker.run(() -> {
            for (int i = 0; i < FORKED; i++) {
                blackhole.consume(skein.spawn(BODY).join());
            }
        });
    }

    /** The JDK's scope, used in the same way by a virtual thread. */
    @Benchmark
    @OperationsPerInvocation(FORKED)
    public void jdkScope(Blackhole blackhole) throws Exception {
        InVirtualThread owner = InVirtualThread.start(() -> {
            for (int i = 0; i < FORKED; i++) {
                try (JdkScope scope = JdkScope.open()) {
                    Object child = scope.fork(BODY);
                    scope.join();
                    blackhole.consume(JdkScope.value(child));
                }
            }
        });
        owner.join();
    }
}
