package io.skein.bench.sync;

import io.skein.Action;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TransferQueue;
import java.util.stream.Stream;
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
 * Two coroutines wait for each other by a class of {@code java.util.concurrent}. One operation is a value that passes from one to the
 * other, or a turn that one leaves to the other.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter
public class HandOver {
    private static final int OPERATIONS = 20_000;
    private static final int CAPACITY = 100;

    @Param
    public Means by;

    private Object value = new Object();

    /** What the two have between them. */
    public enum Means {
        /** A {@code LinkedTransferQueue}: who transfers waits for the taker. */
        TRANSFER_QUEUE,

        /** A {@code LinkedBlockingQueue} with room for a hundred. */
        LINKED_QUEUE,

        /** An {@code Exchanger}: each gives a value and gets one. */
        EXCHANGER,

        /** Two {@code Semaphore}s: one for each to wait at. */
        SEMAPHORE,

        /** A {@code CountDownLatch} for each turn. */
        LATCH,

        /** A {@code CompletableFuture} for each turn. */
        FUTURE
    }

    /** One of the two, in its turn of that number. */
    private interface Side {
        void take(int turn) throws Exception;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void handOver(Team team, Blackhole blackhole) throws InterruptedException {
        team.together(
                switch (by) {
                    case TRANSFER_QUEUE -> byTransferQueue(blackhole);
                    case LINKED_QUEUE -> byLinkedQueue(blackhole);
                    case EXCHANGER -> byExchanger(blackhole);
                    case SEMAPHORE -> bySemaphores();
                    case LATCH -> byLatches();
                    case FUTURE -> byFutures(blackhole);
                });
    }

    private List<Action> byTransferQueue(Blackhole blackhole) {
        TransferQueue<Object> queue = new LinkedTransferQueue<>();
        return passing(_ -> queue.transfer(value), _ -> blackhole.consume(queue.take()));
    }

    private List<Action> byLinkedQueue(Blackhole blackhole) {
        BlockingQueue<Object> queue = new LinkedBlockingQueue<>(CAPACITY);
        return passing(_ -> queue.put(value), _ -> blackhole.consume(queue.take()));
    }

    /** Two values pass at once. */
    private List<Action> byExchanger(Blackhole blackhole) {
        Exchanger<Object> exchanger = new Exchanger<>();
        Side both = _ -> blackhole.consume(exchanger.exchange(value));
        return inTurns(both, both);
    }

    private static List<Action> bySemaphores() {
        Semaphore firsts = new Semaphore(1);
        Semaphore seconds = new Semaphore(0);
        return inTurns(
                _ -> {
                    firsts.acquire();
                    seconds.release();
                },
                _ -> {
                    seconds.acquire();
                    firsts.release();
                });
    }

    private static List<Action> byLatches() {
        CountDownLatch[] ended =
                Stream.generate(() -> new CountDownLatch(1)).limit(OPERATIONS).toArray(CountDownLatch[]::new);
        return inTurns(
                turn -> {
                    ended[2 * turn].countDown();
                    ended[2 * turn + 1].await();
                },
                turn -> {
                    ended[2 * turn].await();
                    ended[2 * turn + 1].countDown();
                });
    }

    private List<Action> byFutures(Blackhole blackhole) {
        List<CompletableFuture<Object>> turns =
                Stream.generate(CompletableFuture::new).limit(OPERATIONS).toList();
        return inTurns(
                turn -> {
                    turns.get(2 * turn).complete(value);
                    blackhole.consume(turns.get(2 * turn + 1).get());
                },
                turn -> {
                    blackhole.consume(turns.get(2 * turn).get());
                    turns.get(2 * turn + 1).complete(value);
                });
    }

    /** One gives and one takes: each turn of both is an operation. */
    private static List<Action> passing(Side giver, Side taker) {
        return List.of(times(OPERATIONS, giver), times(OPERATIONS, taker));
    }

    /** Each turn of one is an operation. */
    private static List<Action> inTurns(Side first, Side second) {
        return List.of(times(OPERATIONS / 2, first), times(OPERATIONS / 2, second));
    }

    private static Action times(int turns, Side side) {
        return () -> {
            for (int turn = 0; turn < turns; turn++) {
                side.take(turn);
            }
        };
    }
}
