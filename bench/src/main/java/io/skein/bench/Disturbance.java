package io.skein.bench;

import io.skein.bench.load.ProcessCpuClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How much of the pinned cores went to anybody else during a round: other processes, or the hypervisor. A round
 * that was disturbed says little, and on a shared machine it is the usual reason for a wide spread.
 */
final class Disturbance {
    private static final Pattern BLANKS = Pattern.compile(" +");
    private static final Path STATISTICS = Path.of("/proc/stat");
    private static final long NANOS_PER_TICK = 10_000_000;

    /** Where {@code idle} and {@code iowait} stand after the core's name, and how many figures follow it that add up. */
    private static final int IDLE = 4;

    private static final int WAITING = 5;
    private static final int FIGURES = 8;

    private final List<Integer> cores;
    private final List<ProcessCpuClock> ours;
    private final long startedAt;
    private final long before;

    private Disturbance(List<Integer> cores, List<ProcessCpuClock> ours) throws IOException {
        this.cores = cores;
        this.ours = ours;
        startedAt = System.nanoTime();
        before = others();
    }

    /** Starts to watch; empty-handed where nothing is pinned or the system does not tell. */
    static Disturbance watch(List<Integer> cores, long serverPid, long clientPid) throws BenchException {
        return watch(
                cores,
                ProcessCpuClock.of(serverPid),
                ProcessCpuClock.of(clientPid),
                ProcessCpuClock.ofEndedChildren(clientPid),
                ProcessCpuClock.ofLivingDescendants(clientPid));
    }

    /** Starts to watch what these cores do beside this process and the children that it starts and that end meanwhile. */
    static Disturbance watchChildren(List<Integer> cores) throws BenchException {
        return watch(cores, ProcessCpuClock.ofThisAndItsChildren());
    }

    private static Disturbance watch(List<Integer> cores, ProcessCpuClock... ours) throws BenchException {
        try {
            return new Disturbance(cores, List.of(ours));
        } catch (IOException failure) {
            throw new BenchException("CPU times cannot be read: " + failure.getMessage(), failure);
        }
    }

    /** The share of one core that went to others since the watch began; 0 where nothing is pinned. */
    double share() throws BenchException {
        try {
            long elapsed = System.nanoTime() - startedAt;
            return Math.max(0, (double) (others() - before) / elapsed);
        } catch (IOException failure) {
            throw new BenchException("CPU times cannot be read: " + failure.getMessage(), failure);
        }
    }

    private long others() throws IOException {
        if (cores.isEmpty()) {
            return 0;
        }
        long nanos = 0;
        for (String line : Files.readAllLines(STATISTICS)) {
            nanos += cores.stream().anyMatch(core -> line.startsWith("cpu" + core + " ")) ? busyNanos(line) : 0;
        }
        for (ProcessCpuClock clock : ours) {
            nanos -= clock.nanos();
        }
        return nanos;
    }

    /** Of a line such as {@code cpu1 user nice system idle iowait irq softirq steal …}: all but idle and iowait. */
    static long busyNanos(String line) {
        long[] ticks = Arrays.stream(BLANKS.split(line, -1))
                .skip(1)
                .limit(FIGURES)
                .mapToLong(Long::parseLong)
                .toArray();
        return (Arrays.stream(ticks).sum() - ticks[IDLE - 1] - ticks[WAITING - 1]) * NANOS_PER_TICK;
    }
}
