package io.skein.bench.load;

import io.skein.internal.io.uring.Ring;

/**
 * Requests are due at a steady rate, dealt to the connections in turn. One that is due while its connection still waits
 * for a reply is sent right after that reply; its latency runs from when it was due. So a server that stalls is charged
 * for all requests that would have come meanwhile, and not for one of each connection only.
 */
final class Paced extends RingRun {
    private static final double SECOND = 1e9;

    private final int rate;
    private final int[] received;

    /** By connection: the number of its request that is under way, or else of its next one. */
    private final long[] request;

    private final boolean[] waiting;
    private long startedAt;

    /** The first request that has not been due yet. */
    private long next;

    Paced(Ring ring, DiscardBuffers buffers, RingSockets sockets, LoadOrder order, MeasuredWindow window) {
        super(ring, buffers, sockets, order, window);
        rate = order.scenario().rate();
        received = new int[connections];
        request = new long[connections];
        waiting = new boolean[connections];
    }

    @Override
    void start(int connection) {
        startedAt = now;
        request[connection] = connection;
    }

    private long dueAt(long number) {
        return startedAt + (long) (number * SECOND / rate);
    }

    @Override
    long turn() {
        while (dueAt(next) <= now) {
            int connection = (int) (next % connections);
            if (!waiting[connection]) {
                waiting[connection] = true;
                send(connection);
            }
            next++;
        }
        return dueAt(next) - now;
    }

    @Override
    void received(int connection, int bytes) {
        received[connection] += bytes;
        if (received[connection] == size) {
            received[connection] = 0;
            window.reply(now - dueAt(request[connection]));
            request[connection] += connections;
            waiting[connection] = request[connection] < next;
            if (waiting[connection]) {
                send(connection);
            }
        }
    }
}
