package io.skein.bench.library;

import io.skein.bench.load.LoadReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** Threads that use a client in a closed loop until they are stopped. One thread asks what has come of it. */
final class Users {
    private static final long LONGEST_LATENCY = 60_000_000_000L;
    private static final int DIGITS = 2;

    private final ClientProgram.Client client;
    private final List<SingleWriterRecorder> latencies = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private long askedAt = System.nanoTime();
    private volatile boolean stopped;

    private Users(ClientProgram.Client client) {
        this.client = client;
    }

    static Users start(ExecutorService executor, ClientProgram.Client client, int count) {
        Users users = new Users(client);
        for (int i = 0; i < count; i++) {
            SingleWriterRecorder mine = new SingleWriterRecorder(LONGEST_LATENCY, DIGITS);
            users.latencies.add(mine);
            users.running.add(executor.submit(() -> users.use(mine)));
        }
        return users;
    }

    private Void use(SingleWriterRecorder mine) throws Exception {
        while (!stopped) {
            long start = System.nanoTime();
            client.ask();
            mine.recordValue(Math.min(System.nanoTime() - start, LONGEST_LATENCY));
        }
        return null;
    }

    /** A report without CPU times, which the load generator reads itself. A failure of any thread is thrown. */
    String sinceLastAsked() throws ExecutionException, InterruptedException {
        for (Future<?> each : running) {
            if (each.isDone()) {
                each.get();
            }
        }
        long now = System.nanoTime();
        Histogram all = new Histogram(LONGEST_LATENCY, DIGITS);
        latencies.forEach(mine -> all.add(mine.getIntervalHistogram()));
        LoadReport report = new LoadReport(
                all.getTotalCount(),
                now - askedAt,
                all.getValueAtPercentile(50),
                all.getValueAtPercentile(90),
                all.getValueAtPercentile(99),
                all.getValueAtPercentile(99.9),
                all.getMaxValue(),
                0,
                0);
        askedAt = now;
        return report.toLine();
    }

    /** Waits for the threads; how they failed has been told, or nobody has asked. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException told) {
                // By sinceLastAsked.
            }
        }
    }
}
