package io.skein.bench.sync;

import io.skein.Action;
import java.util.ArrayList;
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

/**
 * Values go through a long row of coroutines, each of which receives from the one before it and sends to the one behind it, by
 * rendezvous. One operation is one hop. Starting and ending the row is inside the measured time, and one in fifty of it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class Chain {
    private static final int STAGES = 10_000;
    private static final int VALUES = 50;

    @Param("" + STAGES)
    public int stages;

    private Object value = new Object();

    @Benchmark
    @OperationsPerInvocation(STAGES * VALUES)
    public void chain(Team team, Blackhole blackhole) throws InterruptedException {
        List<Action> bodies = new ArrayList<>(stages + 1);
        Pipe first = Pipe.of(team.contender(), 0);
        bodies.add(() -> {
            for (int i = 0; i < VALUES; i++) {
                first.put(value);
            }
        });
        Pipe from = first;
        for (int i = 1; i < stages; i++) {
            Pipe to = Pipe.of(team.contender(), 0);
            bodies.add(stage(from, to));
            from = to;
        }
        Pipe last = from;
        bodies.add(() -> {
            for (int i = 0; i < VALUES; i++) {
                blackhole.consume(last.take());
            }
        });
        team.together(bodies);
    }

    private static Action stage(Pipe from, Pipe to) {
        return () -> {
            for (int i = 0; i < VALUES; i++) {
                to.put(from.take());
            }
        };
    }

    @Benchmark
    @OperationsPerInvocation(STAGES * VALUES)
    public void kotlin(Blackhole blackhole) {
        KotlinChain.run(stages, VALUES, value, blackhole::consume);
    }
}
