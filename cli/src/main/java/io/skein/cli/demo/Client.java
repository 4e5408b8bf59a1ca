package io.skein.cli.demo;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * One member of the swarm: sends a message, waits for its echo, and sends again until the round is over.
 * {@link #run} belongs to one thread of control; {@link #answered} may be read by any.
 */
final class Client {

    private final LatencyHistogram latencies = new LatencyHistogram();
    private final AtomicLong answered = new AtomicLong();

    /**
     * Talks to the server until {@code phase} says that the round is over.
     *
     * @param start where clients wait until all of them are connected
     */
    void run(Contender contender, InetSocketAddress server, int bytes, CountDownLatch start, Supplier<Phase> phase)
            throws IOException, InterruptedException {
        try (Link link = contender.connect(server)) {
            start.countDown();
            start.await();
            ByteBuffer message = ByteBuffer.allocateDirect(bytes);
            long answers = 0;
            long sent = System.nanoTime();
            for (Phase now = phase.get(); now != Phase.OVER; now = phase.get()) {
                askOnce(link, message);
                long received = System.nanoTime();
                if (now == Phase.MEASURED) {
                    latencies.record(received - sent);
                }
                sent = received;
                answered.lazySet(++answers);
            }
        }
    }

    /** How many answers came so far, for the progress line. */
    long answered() {
        return answered.get();
    }

    /** What was measured; to be read when {@link #run} has returned. */
    LatencyHistogram latencies() {
        return latencies;
    }

    private static void askOnce(Link link, ByteBuffer message) throws IOException {
        message.clear();
        link.write(message);
        message.clear();
        while (message.hasRemaining()) {
            if (link.read(message) < 0) {
                throw new EOFException("the echo server closed the connection");
            }
        }
    }
}
