package io.skein.bench.sync;

import com.softwaremill.jox.SelectClause;
import io.skein.sync.Channel;
import io.skein.sync.Select;
import java.util.List;
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
 * Two coroutines send, each to a rendezvous of its own; a third receives from whichever has something. One operation is one
 * value. Where a select or its clauses can be made once and used again, they are.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class SelectOfTwo {
    private static final int VALUES = 50_000;

    private Object value = new Object();

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void skein(Team team, Blackhole blackhole) throws InterruptedException {
        Channel<Object> first = Channel.rendezvous();
        Channel<Object> second = Channel.rendezvous();
        Select<Object> select =
                Select.of(Select.receive(first, brought -> brought), Select.receive(second, brought -> brought));
        run(team, new Pipe.OfSkein(first), new Pipe.OfSkein(second), select::await, blackhole);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void jox(Team team, Blackhole blackhole) throws InterruptedException {
        com.softwaremill.jox.Channel<Object> first = com.softwaremill.jox.Channel.newRendezvousChannel();
        com.softwaremill.jox.Channel<Object> second = com.softwaremill.jox.Channel.newRendezvousChannel();
        SelectClause<Object> fromFirst = first.receiveClause();
        SelectClause<Object> fromSecond = second.receiveClause();
        run(
                team,
                new Pipe.OfJox(first),
                new Pipe.OfJox(second),
                () -> com.softwaremill.jox.Select.select(fromFirst, fromSecond),
                blackhole);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void kotlin(Blackhole blackhole) {
        KotlinSelect.run(VALUES, value, blackhole::consume);
    }

    private void run(Team team, Pipe first, Pipe second, Choice choice, Blackhole blackhole)
            throws InterruptedException {
        team.together(List.of(() -> sendHalf(first), () -> sendHalf(second), () -> {
            for (int i = 0; i < VALUES; i++) {
                blackhole.consume(choice.next());
            }
        }));
    }

    private void sendHalf(Pipe pipe) throws InterruptedException {
        for (int i = 0; i < VALUES / 2; i++) {
            pipe.put(value);
        }
    }

    /** Waits for the next value of either. */
    private interface Choice {
        Object next() throws InterruptedException;
    }
}
