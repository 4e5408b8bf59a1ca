package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Skein;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 */
class JcstressTest {
    private static final Path DIRECTORY = Path.of("target", "jcstress").toAbsolutePath();

    /** For the library by which jcstress binds its threads to processors. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** One JVM a test, for a third of a second: that catches the rarest of the broken twins dozens of times. */
    private static final List<String> SHORT = List.of(
            "-m", "quick", "-iters", "3", "-time", "120", "-pth", "false", "-sc", "false", "-jvmArgs", NATIVE_ACCESS);

    /** A JVM for every compiler that an actor may be compiled by, and some with their code reordered at random. */
    private static final List<String> LONG = List.of("-m", "quick", "-jvmArgsPrepend", NATIVE_ACCESS);

    private static Map<String, List<TestResult>> results = Map.of();

    @BeforeAll
    static void run() throws Exception {
        Files.createDirectories(DIRECTORY);
        removeOldResults();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                NATIVE_ACCESS,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "-c",
                "2",
                "-f",
                "1",
                "-r",
                DIRECTORY.resolve("report").toString()));
        command.addAll(Boolean.getBoolean("skein.test.long") ? LONG : SHORT);
        new ProcessBuilder(command)
                .directory(DIRECTORY.toFile())
                .redirectErrorStream(true)
                .redirectOutput(DIRECTORY.resolve("console.txt").toFile())
                .start()
                .waitFor(); // its exit code tells of broken twins as of failures
        results = readResults().stream()
                .collect(Collectors.groupingBy(TestResult::getName, TreeMap::new, Collectors.toList()));
    }

    @TestFactory
    Stream<DynamicTest> jcstress() {
        return TestList.tests().stream().sorted().map(name -> {
            String simpleName = name.substring(name.lastIndexOf('.') + 1);
            String shownName = name.substring(Skein.class.getPackageName().length() + 1);
            return simpleName.startsWith("Broken")
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
        assertThat(resultsOf(name))
                .as("the forbidden outcome was not seen")
                .anySatisfy(result ->
                        assertThat(forbidden(result)).as(describe(result)).isPositive());
    }

    private static List<TestResult> resultsOf(String name) {
        List<TestResult> found = results.getOrDefault(name, List.of());
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

    private static Collection<TestResult> readResults() throws IOException, ClassNotFoundException {
        InProcessCollector collector = new InProcessCollector();
        for (Path file : resultFiles()) {
            DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
            reader.dump();
            reader.close();
        }
        return collector.getTestResults();
    }

    private static void removeOldResults() throws IOException {
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
