package io.skein.bench.scheduler;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** A coroutine spawns another, which does nothing, and joins it. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SpawnJoin {
    private static final int SPAWNED = 50_000;
    private static final Body NOTHING = () -> {};

    @Benchmark
    @OperationsPerInvocation(SPAWNED)
    public void spawnJoin(Host host) throws InterruptedException {
        Coroutines coroutines = host.coroutines();
        coroutines.blockOn(() -> {
            for (int i = 0; i < SPAWNED; i++) {
                coroutines.startAndJoin(NOTHING);
            }
        });
    }
}
