package io.skein.bench;

import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.server.Contender;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./skein bench scaling}: how the cost of an echo grows with connections and bytes, and what more workers are worth. */
@Command(
        name = "scaling",
        description = "Echoes over 1 to 10,000 connections, of 128 B to 64 KiB, by more and more workers.",
        showDefaultValues = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
final class ScalingCommand extends ServersCommand {
    private static final List<String> RIVALS = List.of("jdk", "netty-io_uring", "c-uring");
    private static final List<String> QUICK_RIVALS = List.of("jdk", "netty-io_uring");
    private static final Scenario MIDDLE = Scenario.closedLoop(Traffic.PING_PONG, 100, 1024);
    private static final int[] CONNECTIONS = {1, 10, 100, 1000, 10_000};
    private static final int[] QUICK_CONNECTIONS = {1000};
    private static final int[] SIZES = {128, 1024, 4096, 16_384, 65_536};
    private static final int[] QUICK_SIZES = {1024};

    /** Ten times what an echo costs, so that the load generator is no limit for two workers even if it shares their cores. */
    private static final int WORK_MICROS = 50;

    private static final int MOST_WORKERS = 1024;

    @Option(
            names = "--workers",
            paramLabel = "N",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description = "At most so many workers; as many as there are cores unless told.")
    private int workers;

    @Override
    List<String> rivals() {
        return Contender.rivals().stream().map(Contender::label).toList();
    }

    @Override
    List<String> usualRivals() {
        return quick ? QUICK_RIVALS : RIVALS;
    }

    @Override
    List<Scenario> scenarios(OptionRules rules) {
        rules.requireRange("--workers", workers, 0, MOST_WORKERS);
        int most = workers == 0 ? Cores.ofThisMachine().count() : workers;
        Set<Scenario> scenarios = new LinkedHashSet<>();
        IntStream.of(quick ? QUICK_CONNECTIONS : CONNECTIONS)
                .filter(Descriptors::allowConnections)
                .forEach(count -> scenarios.add(MIDDLE.withConnections(count)));
        IntStream.of(quick ? QUICK_SIZES : SIZES).forEach(size -> scenarios.add(MIDDLE.withSize(size)));
        for (int count : upTo(most)) {
            if (!quick) {
                scenarios.add(MIDDLE.withWorkers(count));
            }
            scenarios.add(MIDDLE.withWork(WORK_MICROS).withWorkers(count));
        }
        return List.copyOf(scenarios);
    }

    /** 1, 2, 4, … and {@code most}. */
    static List<Integer> upTo(int most) {
        List<Integer> counts = new ArrayList<>();
        for (int count = 1; count < most; count *= 2) {
            counts.add(count);
        }
        counts.add(most);
        return counts;
    }
}
