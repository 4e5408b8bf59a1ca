package io.skein.bench.scheduler;

import io.skein.bench.UsedHeap;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** As {@link ParkedHeap}, of Kotlin's coroutines, which keep no stack but what their compiler put into an object. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class KotlinParkedHeap {
    private static final int SMALL = 5_000;

    @Param("200000")
    public int parked;

    /** What the benchmark reports beside its time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Heap {
        public double bytes;
    }

    @Setup
    public void warmUp() {
        KotlinParked.bytesOfEach(SMALL, UsedHeap::bytes);
    }

    @Benchmark
    public void parked(Heap heap) {
        heap.bytes = KotlinParked.bytesOfEach(parked, UsedHeap::bytes);
    }
}
