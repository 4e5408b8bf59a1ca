package io.skein.bench.coroutine;

import io.skein.Task;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a task adds to the call of its body. The body is in a field, so that nobody knows it beforehand. All contenders run
 * in a coroutine.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class AwaitTask {
    private static final int AWAITED = 10_000;

    private Callable<Object> body = new Values()::next;

    @Benchmark
    @OperationsPerInvocation(AWAITED)
    public void call(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        worker.run(() -> {
            for (int i = 0; i < AWAITED; i++) {
                blackhole.consume(body.call());
            }
        });
    }

    /** Makes a task each time, but calls its body. */
    @Benchmark
    @OperationsPerInvocation(AWAITED)
    public void makeAndCall(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        worker.run(() -> {
            for (int i = 0; i < AWAITED; i++) {
                blackhole.consume(Task.of(body));
                blackhole.consume(body.call());
            }
        });
    }

    /** Makes a task each time, and awaits it. */
    @Benchmark
    @OperationsPerInvocation(AWAITED)
    public void makeAndAwait(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        worker.run(() -> {
            for (int i = 0; i < AWAITED; i++) {
                Task<Object> task = Task.of(body);
                blackhole.consume(task);
                blackhole.consume(task.await());
            }
        });
    }

    /** One and the same task, which has ended. */
    @Benchmark
    @OperationsPerInvocation(AWAITED)
    public void awaitDone(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        worker.run(() -> {
            Task<Object> task = Task.of(body);
            task.await();
            for (int i = 0; i < AWAITED; i++) {
                blackhole.consume(task.await());
            }
        });
    }
}
