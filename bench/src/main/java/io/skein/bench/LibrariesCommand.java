package io.skein.bench;

import io.skein.bench.load.H2Load;
import io.skein.bench.load.Postgres;
import io.skein.bench.load.Programs;
import io.skein.bench.load.Redis;
import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.load.WrkLoad;
import io.skein.bench.server.Contender;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./skein bench libraries}: programs of other people's libraries in coroutines, beside the same on virtual threads. */
@Command(
        name = "libraries",
        description = "Other people's libraries in coroutines, beside the same programs on the JDK's virtual threads.",
        showDefaultValues = true,
        sortOptions = false)
final class LibrariesCommand extends ServersCommand {
    private static final List<String> RIVALS = List.of(Contender.JDK.label());
    private static final List<Traffic> LIBRARIES =
            Arrays.stream(Traffic.values()).filter(Traffic::isOfLibrary).toList();
    private static final Set<Traffic> QUICK = EnumSet.of(Traffic.HELIDON, Traffic.JETTY, Traffic.JEDIS);
    private static final int CONNECTIONS = 50;
    private static final int REQUEST = 128;

    @Option(
            names = "--case",
            split = ",",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "LIBRARY",
            completionCandidates = Names.class,
            description = "Only this: ${COMPLETION-CANDIDATES}.")
    private List<Traffic> only = new ArrayList<>();

    /** What {@code --case} may name. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Names() {
            super(LIBRARIES.stream().map(Traffic::name).toList());
        }
    }

    @Override
    List<String> rivals() {
        return RIVALS;
    }

    @Override
    List<String> usualRivals() {
        return RIVALS;
    }

    /** With one worker, and, if not quick, with two: a second one is what a server that hands requests over gains or loses by. */
    @Override
    List<Scenario> scenarios(OptionRules rules) {
        rules.requireKnown(
                "--case",
                "library here",
                only.stream().map(Traffic::name).toList(),
                LIBRARIES.stream().map(Traffic::name).toList());
        return LIBRARIES.stream()
                .filter(library -> only.isEmpty() ? !quick || QUICK.contains(library) : only.contains(library))
                .filter(library -> missing(library).isEmpty())
                .map(library -> Scenario.closedLoop(library, CONNECTIONS, REQUEST))
                .flatMap(one -> quick ? Stream.of(one) : Stream.of(one, one.withWorkers(2)))
                .toList();
    }

    @Override
    List<String> leftOut() {
        return LIBRARIES.stream()
                .filter(library -> only.isEmpty() || only.contains(library))
                .collect(Collectors.groupingBy(LibrariesCommand::missing, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .filter(each -> !each.getKey().isEmpty())
                .map(each -> "%s left out: %s not installed"
                        .formatted(
                                each.getValue().stream().map(Traffic::name).collect(Collectors.joining(", ")),
                                String.join(", ", each.getKey())))
                .toList();
    }

    /** The programs that this machine lacks to measure a library. */
    private static List<String> missing(Traffic library) {
        List<String> needed = switch (library.tool()) {
            case WRK -> List.of(WrkLoad.PROGRAM);
            case H2LOAD -> List.of(H2Load.PROGRAM);
            case REDIS -> List.of(Redis.PROGRAM);
            case POSTGRES -> List.of(Postgres.PROGRAM, Postgres.PREPARES);
            case RING, SSL_SOCKETS -> List.of();
        };
        return needed.stream().filter(program -> !Programs.haveOne(program)).toList();
    }
}
