package io.skein.bench.load;

import io.skein.internal.io.uring.Ring;
import java.io.IOException;
import java.lang.foreign.Arena;

/**
 * The load generator that costs least: raw io_uring from one thread, multishot receives that discard in the kernel, and
 * one system call for all that is ready. No coroutine and no scheduler of the runtime under test takes part.
 *
 * <p>A request's latency runs from the turn of the loop that made it ready to be sent to the turn that saw its whole
 * reply. One thread at a time.
 */
public final class RingLoad implements LoadGenerator {
    private static final int LEAST_ENTRIES = 256;

    /** Entries that a connection may need in one turn. */
    private static final int EACH = 4;

    /** Refuses where the kernel has no io_uring for us, or none with buffer rings. */
    public RingLoad() throws IOException {
        try (Arena memory = Arena.ofConfined();
                Ring ring = Ring.open(LEAST_ENTRIES, LEAST_ENTRIES)) {
            DiscardBuffers probe = new DiscardBuffers(ring, memory, 1, LEAST_ENTRIES);
            probe.recycle(0);
        }
    }

    @Override
    public String describe() {
        return "one thread, raw io_uring, multishot receives that discard, silent sends";
    }

    @Override
    public LoadReport run(LoadOrder order) throws IOException {
        MeasuredWindow window = new MeasuredWindow(order);
        if (order.scenario().traffic() == Traffic.CHURN) {
            churn(order, window);
        } else {
            drive(order, window);
        }
        return window.report();
    }

    private static void drive(LoadOrder order, MeasuredWindow window) throws IOException {
        int entries = powerOfTwo(2 * order.connections());
        try (Arena memory = Arena.ofConfined();
                Ring ring = Ring.open(entries, 2 * entries);
                RingSockets sockets = new RingSockets(ring, memory, order)) {
            DiscardBuffers buffers = new DiscardBuffers(ring, memory, order.size(), entries);
            RingRun run = switch (order.scenario().traffic()) {
                case PING_PONG, DATAGRAMS ->
                    order.scenario().paced()
                            ? new Paced(ring, buffers, sockets, order, window)
                            : new ClosedLoop(ring, buffers, sockets, order, window);
                case STREAM -> new Drain(ring, buffers, sockets, order, window);
                default -> throw new IllegalArgumentException("not on lasting plain sockets");
            };
            run.toEnd();
        }
    }

    private static void churn(LoadOrder order, MeasuredWindow window) throws IOException {
        int entries = powerOfTwo(EACH * order.connections());
        try (Arena memory = Arena.ofConfined();
                Ring ring = Ring.open(entries, 2 * entries);
                Churn churn = new Churn(ring, memory, order, window)) {
            churn.toEnd();
        }
    }

    private static int powerOfTwo(int least) {
        return Math.max(LEAST_ENTRIES, Integer.highestOneBit(least - 1) * 2);
    }

    @Override
    public void close() {}
}
