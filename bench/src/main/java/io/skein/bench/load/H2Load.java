package io.skein.bench.load;

import io.skein.bench.server.GrpcHello;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Calls over gRPC in a closed loop by {@code h2load}, with one thread and one call at a time on each connection, in a process of its own
 * beside this one. It measures whole seconds from its start on, so there is no ramp.
 */
public final class H2Load implements LoadGenerator {
    public static final String PROGRAM = "h2load";

    private static final Pattern DURATION = Pattern.compile("finished in ([\\d.]+)(us|ms|s)");
    private static final Pattern REQUESTS = Pattern.compile(
            "requests: .* (\\d+) done, (\\d+) succeeded, (\\d+) failed, (\\d+) errored, (\\d+) timeout");
    private static final Pattern TAB = Pattern.compile("\t");
    private static final long LONGEST_LATENCY_MICROS = 60_000_000;
    private static final int DIGITS = 3;
    private static final int MICRO = 1000;

    @Override
    public String describe() {
        return "h2load, one thread";
    }

    @Override
    public LoadReport run(LoadOrder order) throws IOException {
        Path question = Files.createTempFile("skein-bench", ".grpc");
        Path log = Files.createTempFile("skein-bench", ".log");
        try {
            Files.write(question, framed(GrpcHello.QUESTION));
            ProcessCpuClock server = ProcessCpuClock.of(order.serverPid());
            ProcessCpuClock client = ProcessCpuClock.ofThisAndItsChildren();
            long serverCpu = -server.nanos();
            long clientCpu = -client.nanos();
            String told = drive(order, question, log);
            serverCpu += server.nanos();
            clientCpu += client.nanos();
            try (Stream<String> lines = Files.lines(log)) {
                return parse(told, lines).withCpu(serverCpu, clientCpu);
            }
        } finally {
            Files.delete(question);
            Files.delete(log);
        }
    }

    /** A message as it goes over the wire: not compressed, its length, its bytes. */
    private static byte[] framed(byte[] message) throws IOException {
        ByteArrayOutputStream framed = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(framed);
        out.writeByte(0);
        out.writeInt(message.length);
        out.write(message);
        return framed.toByteArray();
    }

    private static String drive(LoadOrder order, Path question, Path log) throws IOException {
        Process h2load = new ProcessBuilder(
                        PROGRAM,
                        "--threads=1",
                        "--clients=" + order.connections(),
                        "--duration=" + wholeSeconds(order.window()),
                        "--data=" + question,
                        "--header=content-type: application/grpc",
                        "--header=te: trailers",
                        "--log-file=" + log,
                        "http://127.0.0.1:" + order.port() + "/" + GrpcHello.PATH)
                .redirectErrorStream(true)
                .start();
        try {
            String told = new String(h2load.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (h2load.waitFor() != 0) {
                throw new IOException("h2load: " + told.strip());
            }
            return told;
        } catch (InterruptedException hurry) {
            h2load.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while h2load was running");
        }
    }

    private static long wholeSeconds(Duration window) {
        return Math.max(1, Math.ceilDiv(window.toMillis(), 1000L));
    }

    /**
     * From what it tells people, and its log.
     *
     * @param log start, status and microseconds of each request
     */
    static LoadReport parse(String told, Stream<String> log) throws IOException {
        Matcher duration = find(DURATION, told);
        Matcher requests = find(REQUESTS, told);
        if (!Stream.of(3, 4, 5).map(requests::group).allMatch("0"::equals)
                || !requests.group(1).equals(requests.group(2))) {
            throw new IOException("h2load: " + requests.group());
        }
        Histogram latencies = new Histogram(LONGEST_LATENCY_MICROS, DIGITS);
        log.map(line -> TAB.split(line, -1))
                .forEach(
                        columns -> latencies.recordValue(Math.min(Long.parseLong(columns[2]), LONGEST_LATENCY_MICROS)));
        return new LoadReport(
                Long.parseLong(requests.group(1)),
                nanos(duration.group(1), duration.group(2)),
                MICRO * latencies.getValueAtPercentile(50),
                MICRO * latencies.getValueAtPercentile(90),
                MICRO * latencies.getValueAtPercentile(99),
                MICRO * latencies.getValueAtPercentile(99.9),
                MICRO * latencies.getMaxValue(),
                0,
                0);
    }

    private static Matcher find(Pattern pattern, String told) throws IOException {
        Matcher matcher = pattern.matcher(told);
        if (!matcher.find()) {
            List<String> lines =
                    told.lines().filter(line -> !line.isBlank()).limit(3).toList();
            throw new IOException("h2load says something else than expected: " + String.join(" / ", lines));
        }
        return matcher;
    }

    private static long nanos(String number, String unit) {
        double factor = switch (unit) {
            case "us" -> 1e3;
            case "ms" -> 1e6;
            default -> 1e9;
        };
        return Math.round(Double.parseDouble(number) * factor);
    }

    @Override
    public void close() {}
}
