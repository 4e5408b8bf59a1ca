package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skein.Skein;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs all jcstress tests, and fails for a test that showed a forbidden outcome and for a broken twin that did not. A
 * class whose name begins with Broken is a twin. The whole report is in {@code target/jcstress}.
 *
 * <p>How often two actors meet depends on how many processors are free. So a twin has a {@link io.skein.Window} in the
 * place where its original is atomic, and a twin that has not shown its outcome yet runs again, longer each time.
 */
class JcstressTest {
    private static final Path DIRECTORY = Path.of("target", "jcstress").toAbsolutePath();

    /** For the library by which jcstress binds its threads to processors. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** One JVM a test: on two free processors a third of a second catches the rarest twin dozens of times. */
    private static final List<String> SHORT =
            List.of("-m", "quick", "-iters", "3", "-pth", "false", "-sc", "false", "-jvmArgs", NATIVE_ACCESS);

    private static final int SHORT_MILLIS = 120;

    /** A JVM for every compiler that an actor may be compiled by, and some with their code reordered at random. */
    private static final List<String> LONG = List.of("-m", "quick", "-jvmArgsPrepend", NATIVE_ACCESS);

    /** jcstress wants a processor for each of the two actors, and binds them to it. */
    private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    /** Two actors on one processor see each other's stores in program order. */
    private static final String NEEDS_TWO_PROCESSORS =
            IdleProtocolStress.BrokenPublisherWithoutFence.class.getCanonicalName();

    private static final int SEARCHES = 6;

    private static final Map<String, List<TestResult>> RESULTS = new TreeMap<>();

    @BeforeAll
    static void run() throws Exception {
        Files.createDirectories(DIRECTORY);
        removeResults();
        if (Boolean.getBoolean("skein.test.long")) {
            run(LONG);
        } else {
            run(SHORT, "-time", String.valueOf(SHORT_MILLIS));
        }
        searchOn();
    }

    /** Runs the twins again that have not shown their forbidden outcome. */
    private static void searchOn() throws Exception {
        for (int search = 1; search <= SEARCHES; search++) {
            String missed = TestList.tests().stream()
                    .filter(name -> isTwin(name) && !cannotBeCaughtHere(name))
                    .filter(name ->
                            RESULTS.getOrDefault(name, List.of()).stream().allMatch(r -> forbidden(r) == 0))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|"));
            if (missed.isEmpty()) {
                return;
            }
            run(SHORT, "-time", String.valueOf(SHORT_MILLIS << search), "-t", missed);
        }
    }

    private static void run(List<String> options, String... more) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(NATIVE_ACCESS);
        if (ONE_PROCESSOR) {
            command.add("-XX:ActiveProcessorCount=2");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(
                List.of("-c", "2", "-f", "1", "-r", DIRECTORY.resolve("report").toString()));
        if (ONE_PROCESSOR) {
            command.addAll(List.of("-af", "NONE", "-spinStyle", "THREAD_YIELD"));
        }
        command.addAll(options);
        command.addAll(List.of(more));
        new ProcessBuilder(command)
                .directory(DIRECTORY.toFile())
                .redirectErrorStream(true)
                .redirectOutput(DIRECTORY.resolve("console.txt").toFile())
                .start()
                .waitFor(); // its exit code tells of broken twins as of failures
        List<TestResult> found = readResults();
        assertThat(found).as("results; see " + DIRECTORY.resolve("console.txt")).isNotEmpty();
        for (TestResult result : found) {
            RESULTS.computeIfAbsent(result.getName(), name -> new ArrayList<>()).add(result);
        }
        removeResults();
    }

    private static boolean isTwin(String name) {
        return name.substring(name.lastIndexOf('.') + 1).startsWith("Broken");
    }

    private static boolean cannotBeCaughtHere(String name) {
        return ONE_PROCESSOR && name.equals(NEEDS_TWO_PROCESSORS);
    }

    @TestFactory
    Stream<DynamicTest> jcstress() {
        return TestList.tests().stream().sorted().map(name -> {
            String shownName = name.substring(Skein.class.getPackageName().length() + 1);
            return isTwin(name)
                    ? DynamicTest.dynamicTest(shownName + " is caught", () -> assertCaught(name))
                    : DynamicTest.dynamicTest(shownName, () -> assertPassed(name));
        });
    }

    private static void assertPassed(String name) {
        for (TestResult result : resultsOf(name)) {
            assertThat(result.status()).as(() -> describe(result)).isEqualTo(Status.NORMAL);
            assertThat(result.grading().isPassed).as(() -> describe(result)).isTrue();
        }
    }

    private static void assertCaught(String name) {
        assumeFalse(cannotBeCaughtHere(name), "one processor shows each actor the other's stores in order");
        assertThat(resultsOf(name))
                .as("the forbidden outcome was not seen")
                .anySatisfy(result ->
                        assertThat(forbidden(result)).as(describe(result)).isPositive());
    }

    private static List<TestResult> resultsOf(String name) {
        List<TestResult> found = RESULTS.getOrDefault(name, List.of());
        assertThat(found).as("results; see " + DIRECTORY.resolve("console.txt")).isNotEmpty();
        return found;
    }

    private static long forbidden(TestResult result) {
        return result.grading().gradingResults.values().stream()
                .filter(graded -> graded.expect == Expect.FORBIDDEN)
                .mapToLong(graded -> graded.count)
                .sum();
    }

    private static String describe(TestResult result) {
        StringBuilder text = new StringBuilder(result.getName() + ": " + result.status());
        for (GradingResult graded : result.grading().gradingResults.values()) {
            text.append("%n%,15d  %-12s %s  %s".formatted(graded.count, graded.expect, graded.id, graded.description));
        }
        result.getMessages().forEach(message -> text.append('\n').append(message));
        result.getVmErr().forEach(message -> text.append('\n').append(message));
        return text.toString();
    }

    private static List<TestResult> readResults() throws IOException, ClassNotFoundException {
        InProcessCollector collector = new InProcessCollector();
        for (Path file : resultFiles()) {
            DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
            reader.dump();
            reader.close();
        }
        return List.copyOf(collector.getTestResults());
    }

    private static void removeResults() throws IOException {
        for (Path file : resultFiles()) {
            Files.delete(file);
        }
    }

    private static List<Path> resultFiles() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".bin.gz")).toList();
        }
    }
}
