package io.skein.bench.coroutine;

import io.skein.Action;
import io.skein.Skein;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Skein with one worker, for the benchmarks that take place in a coroutine. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start()
public class OneWorker {
    private Skein skein;

    @Setup
    public void start() {
        skein = Skein.builder().workers(1).start();
    }

    @TearDown
    public void stop() {
        skein.close();
    }

    Skein skein() {
        return skein;
    }

    /** Runs a body in a coroutine, while JMH's thread waits. */
    void run(Action body) throws InterruptedException {
        skein.blockOn(body);
    }
}
