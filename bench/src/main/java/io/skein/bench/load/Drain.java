package io.skein.bench.load;

import io.skein.internal.io.uring.Ring;

/** Counts what a server sends by itself. */
final class Drain extends RingRun {
    Drain(Ring ring, DiscardBuffers buffers, RingSockets sockets, LoadOrder order, MeasuredWindow window) {
        super(ring, buffers, sockets, order, window);
    }

    @Override
    void start(int connection) {}

    @Override
    void received(int connection, int bytes) {
        window.moved(bytes);
    }
}
