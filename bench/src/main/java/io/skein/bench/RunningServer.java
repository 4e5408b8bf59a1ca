package io.skein.bench;

import io.skein.bench.load.EchoCheck;
import io.skein.bench.load.HelloCheck;
import io.skein.bench.server.Contender;
import io.skein.bench.server.GrpcHello;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A contender in its own process, listening. It stays up, idle and free of cost, between its rounds.
 *
 * @param process what ends it
 * @param pid whose CPU time and memory count, which is another process where the server is no Java program
 */
record RunningServer(Contender contender, ChildJvm process, int port, long pid, String description)
        implements AutoCloseable {
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final int KIBI = 1024;

    /** A compiler that has not run here before takes its time. */
    private static final Duration START = Duration.ofMinutes(3);

    /**
     * Starts the server and sees that it answers as it should.
     *
     * @throws UnsupportedOperationException when this machine cannot run it, with the reason
     */
    static RunningServer start(Contender contender, Setting setting, List<Integer> cores, List<String> flags)
            throws BenchException {
        List<String> arguments = List.of(
                "serve",
                contender.label(),
                setting.service().name(),
                Integer.toString(setting.bufferSize()),
                Integer.toString(setting.workers()),
                Integer.toString(setting.workMicros()));
        ChildJvm process = ChildJvm.start(contender.label(), cores, flags, arguments);
        boolean started = false;
        try {
            String[] greeting = BLANK.split(process.receive(START), 4);
            if (!greeting[0].equals(ServeCommand.LISTENING)) {
                throw new UnsupportedOperationException(reason(greeting));
            }
            RunningServer server = new RunningServer(
                    contender, process, Integer.parseInt(greeting[1]), Long.parseLong(greeting[2]), greeting[3]);
            server.check(setting);
            started = true;
            return server;
        } finally {
            if (!started) {
                process.close();
            }
        }
    }

    private static String reason(String[] greeting) {
        String line = String.join(" ", greeting);
        return line.startsWith(ServeCommand.UNAVAILABLE)
                ? line.substring(ServeCommand.UNAVAILABLE.length()).strip()
                : line;
    }

    private void check(Setting setting) throws BenchException {
        int size = setting.bufferSize() / 2;
        try {
            if (setting.service() == Service.ECHO) {
                EchoCheck.run(port, size);
            } else if (setting.service() == Service.TLS_ECHO) {
                EchoCheck.runEncrypted(port, size);
            } else if (setting.service().isWeb()) {
                HelloCheck.run(port, Service.HELLO);
            } else if (setting.service() == Service.GRPC) {
                GrpcHello.check(port);
            }
        } catch (IOException failure) {
            throw new BenchException(
                    contender.label() + " does not answer as it should: " + failure.getMessage(), failure);
        }
    }

    /**
     * Bytes that the process holds: used heap after a collection, and resident memory. A heap that is resident as a whole
     * from the start adds the same to the second whatever is in it, so differences of this are what something costs.
     */
    long memory() throws BenchException {
        process.send(ServeCommand.HEAP);
        long heap = Long.parseLong(process.receive(ChildJvm.PATIENCE));
        try {
            Matcher matcher = RESIDENT.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
            if (!matcher.find()) {
                throw new BenchException("the memory of " + contender.label() + " cannot be read");
            }
            return heap + KIBI * Long.parseLong(matcher.group(1));
        } catch (IOException failure) {
            throw new BenchException("the memory of " + contender.label() + " cannot be read: " + failure, failure);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
