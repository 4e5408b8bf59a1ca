package io.skein.bench.load;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * Decides which replies count. States: ramping → open → closed, moved only by {@link #runsAt}, which the one thread
 * that generates the load calls with the time once per turn of its loop. Both processes' CPU clocks are read at the
 * moments when the window opens and closes, so requests and CPU time belong to the same stretch of time.
 */
final class MeasuredWindow {
    private static final long LONGEST_LATENCY = 60_000_000_000L;

    private final ProcessCpuClock server;
    private final ProcessCpuClock client =
            ProcessCpuClock.of(ProcessHandle.current().pid());
    private final Histogram latencies = new Histogram(LONGEST_LATENCY, 3);
    private final long rampNanos;
    private final long windowNanos;
    private State state = State.IDLE;
    private long edge;
    private long openedAt;
    private long wall;
    private long serverCpu;
    private long clientCpu;
    private long moved;

    private enum State {
        IDLE,
        RAMPING,
        OPEN,
        CLOSED
    }

    MeasuredWindow(LoadOrder order) {
        server = ProcessCpuClock.of(order.serverPid());
        rampNanos = order.ramp().toNanos();
        windowNanos = order.window().toNanos();
    }

    void startRamp(long now) {
        state = State.RAMPING;
        edge = now + rampNanos;
    }

    /** Whether the load goes on after {@code now}. */
    boolean runsAt(long now) throws IOException {
        if (now - edge < 0) {
            return true;
        }
        switch (state) {
            case RAMPING -> open(now);
            case OPEN -> close(now);
            case IDLE, CLOSED -> throw new IllegalStateException("no load is running: " + state);
        }
        return state != State.CLOSED;
    }

    private void open(long now) throws IOException {
        state = State.OPEN;
        latencies.reset();
        moved = 0;
        openedAt = now;
        edge = now + windowNanos;
        serverCpu = -server.nanos();
        clientCpu = -client.nanos();
    }

    private void close(long now) throws IOException {
        state = State.CLOSED;
        serverCpu += server.nanos();
        clientCpu += client.nanos();
        wall = now - openedAt;
    }

    void reply(long latency) {
        latencies.recordValue(Math.min(latency, LONGEST_LATENCY));
    }

    /** Counts what has no replies. */
    void moved(long bytes) {
        moved += bytes;
    }

    LoadReport report() {
        if (state != State.CLOSED) {
            throw new IllegalStateException("the window is not over: " + state);
        }
        return new LoadReport(
                latencies.getTotalCount() + moved,
                wall,
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(90),
                latencies.getValueAtPercentile(99),
                latencies.getValueAtPercentile(99.9),
                latencies.getMaxValue(),
                serverCpu,
                clientCpu);
    }
}
