package io.skein.bench;

import io.skein.bench.load.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which core the servers get and which the load generator.
 *
 * @param server empty where nothing is pinned
 * @param client empty where nothing is pinned
 * @param spare those that are left, for servers with several threads of execution
 * @param description one line for people
 */
record Cores(OptionalInt server, OptionalInt client, List<Integer> spare, String description) {
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern DASH = Pattern.compile("-");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** Looks at the machine. */
    static Cores ofThisMachine() {
        if (!Programs.haveOne("taskset")) {
            return unpinned("taskset is not installed");
        }
        try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            String allowed = status.filter(line -> line.startsWith(ALLOWED))
                    .map(line -> line.substring(ALLOWED.length()).strip())
                    .findFirst()
                    .orElse("");
            return choose(numbers(allowed), Cores::siblings);
        } catch (IOException failure) {
            return unpinned("this system does not tell which cores we may use");
        }
    }

    /**
     * The highest core for the servers, because interrupts and the rest of the system prefer the low ones; for the
     * client the highest that shares no physical core with it, or any other if all do.
     */
    static Cores choose(List<Integer> allowed, IntFunction<List<Integer>> siblings) {
        if (allowed.size() < 2) {
            return unpinned("only one core may be used");
        }
        int server = allowed.getLast();
        List<Integer> others = allowed.subList(0, allowed.size() - 1);
        List<Integer> sharing = siblings.apply(server);
        OptionalInt apart = others.stream()
                .filter(core -> !sharing.contains(core))
                .mapToInt(Integer::intValue)
                .max();
        int client = apart.orElse(others.getLast());
        String description = "servers on core %d, load generator on core %d%s"
                .formatted(server, client, apart.isPresent() ? "" : ", which are two threads of one physical core");
        List<Integer> spare =
                others.reversed().stream().filter(core -> core != client).toList();
        return new Cores(OptionalInt.of(server), OptionalInt.of(client), spare, description);
    }

    /** The servers' core and the client's; none where nothing is pinned. */
    List<Integer> both() {
        return Stream.of(server, client)
                .flatMapToInt(OptionalInt::stream)
                .boxed()
                .toList();
    }

    /** The cores of a server with so many workers: the load generator's is the last to be taken. */
    List<Integer> servers(int workers) {
        return Stream.of(
                        server.stream().boxed(), spare.stream(), client.stream().boxed())
                .flatMap(Function.identity())
                .limit(workers)
                .toList();
    }

    /** The cores on which something of ours runs. */
    List<Integer> all(int workers) {
        return Stream.concat(servers(workers).stream(), client.stream().boxed())
                .distinct()
                .toList();
    }

    /** Whether the load generator has to share a core with a server of so many workers. */
    boolean shared(int workers) {
        return workers >= count();
    }

    /** How many may be used. */
    int count() {
        return server.isPresent() ? spare.size() + 2 : Runtime.getRuntime().availableProcessors();
    }

    private static Cores unpinned(String why) {
        return new Cores(
                OptionalInt.empty(),
                OptionalInt.empty(),
                List.of(),
                "nothing is pinned and figures are less steady: " + why);
    }

    /** Reads the kernel's notation: {@code 0-3,8} is 0, 1, 2, 3 and 8. */
    static List<Integer> numbers(String list) {
        List<Integer> numbers = new ArrayList<>();
        if (list.isEmpty()) {
            return numbers;
        }
        for (String range : COMMA.split(list, -1)) {
            String[] ends = DASH.split(range, -1);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            IntStream.rangeClosed(first, last).forEach(numbers::add);
        }
        return numbers;
    }

    private static List<Integer> siblings(int core) {
        Path file = Path.of("/sys/devices/system/cpu/cpu" + core + "/topology/thread_siblings_list");
        try {
            return numbers(Files.readString(file).strip());
        } catch (IOException unknown) {
            return List.of(core);
        }
    }
}
