package io.skein.bench;

import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.server.Contender;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./skein bench echo}: TCP echo, in a closed loop and at a fixed rate. */
@Command(
        name = "echo",
        description = "TCP echo on loopback: Skein beside JDK virtual threads, Netty, Vert.x, Go and plain C.",
        showDefaultValues = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
final class EchoCommand extends ServersCommand {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int LARGEST_SIZE = 65_536;
    private static final int MOST_PER_SECOND = 10_000_000;
    private static final List<String> QUICK_RIVALS = List.of("jdk", "netty-io_uring", "netty-epoll", "c-uring");
    private static final List<Integer> USUAL = List.of(1, 100, 1000);
    private static final int USUAL_AT_A_RATE = 100;

    @Option(
            names = "--connections",
            split = ",",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "N",
            description = "Open connections, each with one request under way; a list is measured one by one. 1,100,1000"
                    + " unless told, and 100 if quick.")
    private List<Integer> connections = new ArrayList<>();

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "1024", description = "Bytes of a request.")
    private int size;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Requests per second for the latency at a fixed rate, with 100 connections or the last number"
                    + " that was named; 0 for none.")
    private int rate;

    @Override
    List<String> rivals() {
        return Contender.rivals().stream().map(Contender::label).toList();
    }

    @Override
    List<String> usualRivals() {
        return quick ? QUICK_RIVALS : rivals();
    }

    @Override
    List<Scenario> scenarios(OptionRules rules) {
        connections.forEach(count -> rules.requireRange("--connections", count, 1, MOST_CONNECTIONS));
        rules.requireRange("--size", size, 1, LARGEST_SIZE);
        rules.requireRange("--rate", rate, 0, MOST_PER_SECOND);
        List<Integer> usual = quick ? List.of(USUAL_AT_A_RATE) : USUAL;
        List<Scenario> scenarios = new ArrayList<>((connections.isEmpty() ? usual : connections)
                .stream()
                        .distinct()
                        .map(count -> Scenario.closedLoop(Traffic.PING_PONG, count, size))
                        .toList());
        if (rate > 0 && !quick) {
            int open = connections.isEmpty() ? USUAL_AT_A_RATE : connections.getLast();
            scenarios.add(new Scenario(Traffic.PING_PONG, open, size, rate));
        }
        return scenarios;
    }
}
