package io.skein.bench.sync;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** One coroutine sends, another receives. One operation is one value. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class Transfer {
    private static final int VALUES = 50_000;

    /** How many values are underway before the sender waits. */
    @Param({"0", "100"})
    public int capacity;

    private Object value = new Object();

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void transfer(Team team, Blackhole blackhole) throws InterruptedException {
        Pipe pipe = Pipe.of(team.contender(), capacity);
        team.together(List.of(
                () -> {
                    for (int i = 0; i < VALUES; i++) {
                        pipe.put(value);
                    }
                },
                () -> {
                    for (int i = 0; i < VALUES; i++) {
                        blackhole.consume(pipe.take());
                    }
                }));
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void kotlin(Blackhole blackhole) {
        KotlinTransfer.onOneThread(VALUES, capacity, value, blackhole::consume);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void kotlinOnItsPool(Blackhole blackhole) {
        KotlinTransfer.onPool(VALUES, capacity, value, blackhole::consume);
    }
}
