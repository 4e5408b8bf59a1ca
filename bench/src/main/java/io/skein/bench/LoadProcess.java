package io.skein.bench;

import io.skein.bench.load.LoadOrder;
import io.skein.bench.load.LoadReport;
import io.skein.bench.load.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The load generator in its own process, as the harness sees it. */
final class LoadProcess implements AutoCloseable {
    private static final Pattern BLANK = Pattern.compile(" ");

    private final ChildJvm process;
    private final String description;

    private LoadProcess(ChildJvm process, String description) {
        this.process = process;
        this.description = description;
    }

    static LoadProcess start(Cores cores) throws BenchException {
        ChildJvm process = ChildJvm.start(
                "the load generator", cores.client().stream().boxed().toList(), List.of(), List.of("load"));
        try {
            String[] greeting = BLANK.split(process.receive(ChildJvm.PATIENCE), 2);
            return new LoadProcess(process, greeting[1]);
        } catch (BenchException failure) {
            process.close();
            throw failure;
        }
    }

    String description() {
        return description;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    LoadReport drive(RunningServer server, Scenario scenario, Duration ramp, Duration window) throws BenchException {
        LoadOrder order = new LoadOrder(server.port(), server.pid(), scenario, ramp, window);
        process.send(order.toLine());
        String[] answer = BLANK.split(process.receive(ramp.plus(window).plus(ChildJvm.PATIENCE)), 2);
        if (!answer[0].equals(LoadCommand.REPORT)) {
            throw new BenchException(
                    server.contender().label() + ", " + scenario.title() + ": " + answer[answer.length - 1]);
        }
        return LoadReport.parse(answer[1]);
    }

    @Override
    public void close() {
        process.close();
    }
}
