package io.skein.bench.load;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HTTP requests in a closed loop by {@code wrk}, with one thread, in a process of its own beside this one. It measures whole
 * seconds from its start on, so there is no ramp, and it tells no percentile above the 99th but the worst.
 */
public final class WrkLoad implements LoadGenerator {
    public static final String PROGRAM = "wrk";

    private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in ([\\d.]+)(us|ms|s|m),");
    private static final Pattern LATENCIES = Pattern.compile("Latency +\\S+ +\\S+ +([\\d.]+)(us|ms|s|m) ");
    private static final Pattern FAILURES = Pattern.compile("(Non-2xx or 3xx responses: \\d+|Socket errors: .*)");

    @Override
    public String describe() {
        return "wrk, one thread";
    }

    @Override
    public LoadReport run(LoadOrder order) throws IOException {
        ProcessCpuClock server = ProcessCpuClock.of(order.serverPid());
        ProcessCpuClock client = ProcessCpuClock.ofThisAndItsChildren();
        long serverCpu = -server.nanos();
        long clientCpu = -client.nanos();
        String told = drive(order);
        serverCpu += server.nanos();
        clientCpu += client.nanos();
        return parse(told, serverCpu, clientCpu);
    }

    private static String drive(LoadOrder order) throws IOException {
        long seconds = Math.max(1, Math.ceilDiv(order.window().toMillis(), 1000L));
        Process wrk = new ProcessBuilder(
                        PROGRAM,
                        "--threads=1",
                        "--connections=" + order.connections(),
                        "--duration=" + seconds + "s",
                        "--latency",
                        "http://127.0.0.1:" + order.port() + "/hello")
                .redirectErrorStream(true)
                .start();
        try {
            String told = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (wrk.waitFor() != 0) {
                throw new IOException("wrk: " + told.lines().findFirst().orElse("failed without a word"));
            }
            return told;
        } catch (InterruptedException hurry) {
            wrk.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while wrk was running");
        }
    }

    /** From what it tells people. */
    static LoadReport parse(String told, long serverCpu, long clientCpu) throws IOException {
        Matcher failures = FAILURES.matcher(told);
        if (failures.find()) {
            throw new IOException("wrk: " + failures.group(1));
        }
        Matcher total = find(TOTAL, told);
        Matcher latencies = find(LATENCIES, told);
        return new LoadReport(
                Long.parseLong(total.group(1)),
                nanos(total.group(2), total.group(3)),
                percentile(told, "50"),
                percentile(told, "90"),
                percentile(told, "99"),
                0,
                nanos(latencies.group(1), latencies.group(2)),
                serverCpu,
                clientCpu);
    }

    private static long percentile(String told, String percent) throws IOException {
        Matcher line = find(Pattern.compile("(?m)^ +" + percent + "% +([\\d.]+)(us|ms|s|m)$"), told);
        return nanos(line.group(1), line.group(2));
    }

    private static Matcher find(Pattern pattern, String told) throws IOException {
        Matcher matcher = pattern.matcher(told);
        if (!matcher.find()) {
            List<String> lines = told.lines().limit(3).toList();
            throw new IOException("wrk says something else than expected: " + String.join(" / ", lines));
        }
        return matcher;
    }

    private static long nanos(String number, String unit) {
        double factor = switch (unit) {
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            default -> 60e9;
        };
        return Math.round(Double.parseDouble(number) * factor);
    }

    @Override
    public void close() {}
}
