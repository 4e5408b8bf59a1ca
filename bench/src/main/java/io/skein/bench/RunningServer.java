package io.skein.bench;

import io.skein.bench.load.EchoCheck;
import io.skein.bench.server.Contender;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** A contender in its own process, listening. It stays up, idle and free of cost, between its rounds. */
record RunningServer(Contender contender, ChildJvm process, int port, String description) implements AutoCloseable {
    private static final Pattern BLANK = Pattern.compile(" ");

    /**
     * Starts the server and sees that it echoes what it is sent.
     *
     * @throws UnsupportedOperationException when this machine cannot run it, with the reason
     */
    static RunningServer start(Contender contender, EchoPlan plan, Cores cores) throws BenchException {
        List<String> arguments = List.of("serve", contender.label(), Integer.toString(plan.bufferSize()));
        ChildJvm process = ChildJvm.start(contender.label(), cores.server(), contender.jvmFlags(), arguments);
        boolean started = false;
        try {
            String[] greeting = BLANK.split(process.receive(ChildJvm.PATIENCE), 3);
            if (!greeting[0].equals(ServeCommand.LISTENING)) {
                throw new UnsupportedOperationException(String.join(" ", greeting));
            }
            RunningServer server = new RunningServer(contender, process, Integer.parseInt(greeting[1]), greeting[2]);
            server.check(plan.size());
            started = true;
            return server;
        } finally {
            if (!started) {
                process.close();
            }
        }
    }

    private void check(int size) throws BenchException {
        try {
            EchoCheck.run(port, size);
        } catch (IOException failure) {
            throw new BenchException(
                    contender.label() + " does not echo what it is sent: " + failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
