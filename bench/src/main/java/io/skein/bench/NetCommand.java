package io.skein.bench;

import io.skein.bench.load.Programs;
import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.load.WrkLoad;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./skein bench net}: streams, echoes of several sizes, short connections, datagrams, TLS, HTTP. */
@Command(
        name = "net",
        description = "Streams, echoes, short connections, datagrams, TLS, HTTP: Skein beside the JDK and Netty.",
        showDefaultValues = true,
        sortOptions = false)
final class NetCommand extends ServersCommand {
    private static final List<String> RIVALS = List.of("jdk", "netty-io_uring", "netty-epoll");
    private static final List<String> QUICK_RIVALS = List.of("jdk", "netty-io_uring");
    private static final int SMALL = 128;
    private static final int MEDIUM = 1024;
    private static final int LARGE = 16_384;
    private static final int STREAMED = 65_536;

    @Option(
            names = "--case",
            split = ",",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "TRAFFIC",
            description = "Only this: ${COMPLETION-CANDIDATES}.")
    private List<Traffic> only = new ArrayList<>();

    /** All that serve more than echoes. */
    @Override
    List<String> rivals() {
        List<String> rivals = new ArrayList<>(javaRivals());
        rivals.add("go");
        return rivals;
    }

    @Override
    List<String> usualRivals() {
        return quick ? QUICK_RIVALS : RIVALS;
    }

    @Override
    List<Scenario> scenarios(OptionRules rules) {
        return (quick ? fewScenarios() : allScenarios())
                .stream()
                        .filter(scenario -> only.isEmpty() || only.contains(scenario.traffic()))
                        .filter(scenario -> !scenario.traffic().isWeb() || Programs.haveOne(WrkLoad.PROGRAM))
                        .toList();
    }

    @Override
    List<String> leftOut() {
        return Programs.haveOne(WrkLoad.PROGRAM) ? List.of() : List.of("HTTP is left out: wrk is not installed");
    }

    /** Not streams: their rounds differ by more than any two servers do, unless they are long. */
    private static List<Scenario> fewScenarios() {
        return List.of(
                Scenario.closedLoop(Traffic.PING_PONG, 100, LARGE),
                Scenario.closedLoop(Traffic.CHURN, 10, SMALL),
                Scenario.closedLoop(Traffic.DATAGRAMS, 100, SMALL));
    }

    private static List<Scenario> allScenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(Scenario.closedLoop(Traffic.STREAM, 1, STREAMED));
        scenarios.add(Scenario.closedLoop(Traffic.STREAM, 10, STREAMED));
        for (int size : new int[] {SMALL, MEDIUM, LARGE}) {
            for (int connections : new int[] {1, 10, 100, 1000}) {
                scenarios.add(Scenario.closedLoop(Traffic.PING_PONG, connections, size));
            }
        }
        scenarios.add(Scenario.closedLoop(Traffic.CHURN, 10, SMALL));
        scenarios.add(Scenario.closedLoop(Traffic.DATAGRAMS, 1, SMALL));
        scenarios.add(Scenario.closedLoop(Traffic.DATAGRAMS, 100, SMALL));
        scenarios.add(Scenario.closedLoop(Traffic.DATAGRAMS, 100, MEDIUM));
        scenarios.add(Scenario.closedLoop(Traffic.TLS, 10, MEDIUM));
        scenarios.add(Scenario.closedLoop(Traffic.TLS, 10, LARGE));
        scenarios.add(Scenario.closedLoop(Traffic.HTTP, 100, SMALL));
        return scenarios;
    }
}
