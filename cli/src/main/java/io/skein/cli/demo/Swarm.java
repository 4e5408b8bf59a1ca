package io.skein.cli.demo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * The clients of one round, all on one contender. The thread that calls {@link #measure} leads them through
 * the {@linkplain Phase phases}; the clients only look. Used once.
 */
final class Swarm {

    private static final Duration TICK = Duration.ofMillis(100);

    /** Connecting, or the last answer, takes milliseconds; this long means that something is stuck. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Contender contender;
    private final InetSocketAddress server;
    private final int bytes;
    private final List<Client> clients;

    /** Clients that connect while others already talk would starve on the JDK's scheduler, so all start together. */
    private final CountDownLatch connecting;

    private final CountDownLatch running;
    private final FirstFailure failure;

    /** Written by the leading thread only. */
    private volatile Phase phase = Phase.SETTLING;

    Swarm(Contender contender, InetSocketAddress server, int connections, int bytes, FirstFailure failure) {
        this.contender = contender;
        this.server = server;
        this.bytes = bytes;
        this.failure = failure;
        clients = Stream.generate(Client::new).limit(connections).toList();
        connecting = new CountDownLatch(connections);
        running = new CountDownLatch(connections);
    }

    /**
     * Connects everyone, lets them settle, measures, and sends them home.
     *
     * @param progress hears several times a second how many requests have been answered so far
     * @throws IOException if somebody failed or got stuck
     */
    Round measure(Duration settling, Duration window, LongConsumer progress) throws IOException, InterruptedException {
        clients.forEach(client -> contender.spawn(() -> run(client)));
        try {
            await(connecting, "connect");
            pass(settling, progress);
            long cpuBefore = ProcessCpu.nanos();
            long before = System.nanoTime();
            phase = Phase.MEASURED;
            pass(window, progress);
            phase = Phase.OVER;
            long nanos = System.nanoTime() - before;
            long cpuNanos = ProcessCpu.nanos() - cpuBefore;
            await(running, "finish");
            return summary(nanos, cpuNanos);
        } finally {
            phase = Phase.OVER;
        }
    }

    private void run(Client client) {
        try {
            client.run(contender, server, bytes, connecting, () -> phase);
        } catch (IOException | InterruptedException | RuntimeException e) {
            failure.report(contender.name() + ": a client", e);
            connecting.countDown();
        } finally {
            running.countDown();
        }
    }

    private void pass(Duration duration, LongConsumer progress) throws IOException, InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            Thread.sleep(Duration.ofNanos(Math.min(left, TICK.toNanos())));
            progress.accept(clients.stream().mapToLong(Client::answered).sum());
            failure.check();
        }
    }

    private void await(CountDownLatch latch, String what) throws IOException, InterruptedException {
        boolean done = latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        failure.check();
        if (!done) {
            throw new IOException("%s: %d of %d clients did not %s within %d s"
                    .formatted(contender.name(), latch.getCount(), clients.size(), what, PATIENCE.toSeconds()));
        }
    }

    private Round summary(long nanos, long cpuNanos) {
        LatencyHistogram all = new LatencyHistogram();
        clients.forEach(client -> all.add(client.latencies()));
        return new Round(all.count(), nanos, cpuNanos, all.quantile(0.5), all.quantile(0.99));
    }
}
