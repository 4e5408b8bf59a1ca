package io.skein.bench.load;

import io.skein.internal.io.uring.Ring;

/**
 * The next request of a connection leaves when the reply has arrived whole. Datagrams may get lost: when nothing comes any
 * more, all are sent again.
 */
final class ClosedLoop extends RingRun {
    private static final long LOST = 100_000_000;

    private final boolean mayLose;
    private final int[] received;
    private final long[] sentAt;
    private long lastSentAt;

    ClosedLoop(Ring ring, DiscardBuffers buffers, RingSockets sockets, LoadOrder order, MeasuredWindow window) {
        super(ring, buffers, sockets, order, window);
        mayLose = order.scenario().traffic() == Traffic.DATAGRAMS;
        received = new int[connections];
        sentAt = new long[connections];
    }

    @Override
    void start(int connection) {
        sentAt[connection] = now;
        lastSentAt = now;
        send(connection);
    }

    @Override
    long turn() {
        if (!mayLose) {
            return super.turn();
        }
        if (now - lastSentAt > LOST) {
            for (int connection = 0; connection < connections; connection++) {
                start(connection);
            }
        }
        return LOST;
    }

    @Override
    void received(int connection, int bytes) {
        received[connection] += bytes;
        if (received[connection] == size) {
            received[connection] = 0;
            window.reply(now - sentAt[connection]);
            start(connection);
        }
    }
}
