package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.report.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What holds for every suite of small benchmarks. */
final class SuiteCheck {
    /** Nothing is measured here, so a JVM need not be at its best, only done soon. */
    private static final List<String> IN_A_HURRY = List.of("-XX:TieredStopAtLevel=1", "-XX:-AlwaysPreTouch");

    /** Parameters that make much work little, but enough to measure; JMH passes by those that a benchmark does not have. */
    private static final Map<String, String> SMALL = Map.of(
            "parked",
            "20000",
            "sleeping",
            "20000",
            "stages",
            "100",
            "alarms",
            "100",
            "window",
            "10",
            "idle",
            "100",
            "timers",
            "20000");

    private SuiteCheck() {}

    static void everyClaimIsAboutContendersOfItsCase(MicroSuite suite) {
        for (MicroCase each : suite.cases()) {
            List<String> labels =
                    each.contenders().stream().map(MicroContender::label).toList();
            assertThat(each.claims()).isNotEmpty();
            assertThat(each.claims()).extracting(Claim::subject).containsOnly(each.name());
            assertThat(each.claims()).extracting(Claim::contender).isSubsetOf(labels);
            assertThat(each.claims()).extracting(Claim::rival).isSubsetOf(labels);
        }
    }

    /** The cost is measured, so it may be anything: the garbage of others makes that of a small one negative. */
    static void everyContenderRuns(MicroSuite suite) throws BenchException {
        for (MicroCase each : suite.cases()) {
            for (MicroContender contender : each.contenders()) {
                JmhFork fork = new JmhFork(each, inAHurry(contender), List.of());
                Duration moment = Duration.ofMillis(1);
                assertThat(needsItsOwnJvm(each, contender) ? fork.run(Duration.ZERO, moment) : fork.runHere(moment))
                        .as("cost of %s in %s", contender.label(), each.name())
                        .isFinite();
            }
        }
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    /** Some would hang without their flags, and what is left of others in this JVM would be counted as well. */
    private static boolean needsItsOwnJvm(MicroCase subject, MicroContender contender) {
        return subject.counter().isPresent() || !contender.flags().isEmpty();
    }

    private static MicroContender inAHurry(MicroContender contender) {
        List<String> flags = new ArrayList<>(contender.flags());
        flags.addAll(IN_A_HURRY);
        Map<String, String> parameters = new HashMap<>(contender.parameters());
        parameters.putAll(SMALL);
        return contender.flags(flags).with(parameters);
    }
}
