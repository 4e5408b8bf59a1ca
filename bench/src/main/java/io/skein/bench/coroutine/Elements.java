package io.skein.bench.coroutine;

import io.skein.Generator;
import java.util.Iterator;
import java.util.concurrent.SynchronousQueue;
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
 * Elements that one piece of code makes and another takes, one by one and none ahead. One operation is one element. What
 * starts and ends a sequence is inside the measured time, and one in ten thousand of it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class Elements {
    private static final int ELEMENTS = 10_000;

    private final Values values = new Values();

    /** Skein's generator, in a coroutine. */
    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public void generator(OneWorker worker, Blackhole blackhole) throws InterruptedException {
        worker.run(() -> {
            try (Generator<Object> generator = Generator.of(emitter -> {
                while (true) {
                    emitter.emit(values.next());
                }
            })) {
                take(generator, blackhole);
            }
        });
    }

    /** Two of the JDK's virtual threads: what plain Java has for code that makes elements while other code takes them. */
    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public void handover(Blackhole blackhole) throws Exception {
        SynchronousQueue<Object> queue = new SynchronousQueue<>();
        InVirtualThread maker = InVirtualThread.start(() -> {
            for (int i = 0; i < ELEMENTS; i++) {
                queue.put(values.next());
            }
        });
        InVirtualThread taker = InVirtualThread.start(() -> {
            for (int i = 0; i < ELEMENTS; i++) {
                blackhole.consume(queue.take());
            }
        });
        maker.join();
        taker.join();
    }

    /** Kotlin's {@code sequence}, which its compiler turns into a state machine. */
    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public void kotlinSequence(Blackhole blackhole) {
        take(KotlinSequence.endless(values::next).iterator(), blackhole);
    }

    /** An iterator written by hand: what it costs to suspend nothing. */
    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public void iterator(Blackhole blackhole) {
        take(new Endless(), blackhole);
    }

    private static void take(Iterator<Object> elements, Blackhole blackhole) {
        for (int i = 0; i < ELEMENTS; i++) {
            if (!elements.hasNext()) {
                throw new IllegalStateException("no more than " + i + " elements");
            }
            blackhole.consume(elements.next());
        }
    }

    private final class Endless implements Iterator<Object> {
        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Object next() {
            return values.next();
        }
    }
}
