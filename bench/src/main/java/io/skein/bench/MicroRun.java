package io.skein.bench;

import io.skein.bench.MicroContender.Space;
import io.skein.bench.report.Findings;
import io.skein.bench.report.Growth;
import io.skein.bench.report.MicroJson;
import io.skein.bench.report.MicroText;
import io.skein.bench.report.Sample;
import io.skein.bench.report.SuiteReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs a suite of small benchmarks: the instrument that all such suites share.
 *
 * <p>JMH measures, in a new JVM each time, because two JVMs may compile the same code differently and one of them
 * would be taken for the truth. JMH by itself would run all JVMs of one contender before those of the next, and what
 * the machine does meanwhile would count for one and not for the other. So this class asks it for one JVM at a time: a
 * round runs every case, the contenders of a case right after each other, each round in a new random order. A run in
 * which others took part of our cores is repeated.
 */
final class MicroRun {
    private final MicroPlan plan;
    private final Profile profile;
    private final PrintWriter out;
    private final Progress progress;
    private final Cores cores = Cores.ofThisMachine();
    private final Map<MicroContender, List<Sample>> samples = new LinkedHashMap<>();
    private final List<Sample> repeated = new ArrayList<>();
    private final Set<MicroContender> missing = new HashSet<>();

    MicroRun(MicroPlan plan, Profile profile, PrintWriter out) {
        this.plan = plan;
        this.profile = profile;
        this.out = out;
        progress = new Progress(out);
        // In the order of the table, whatever the order of running.
        plan.suite()
                .cases()
                .forEach(each -> each.contenders().forEach(contender -> samples.put(contender, new ArrayList<>())));
    }

    SuiteReport run() throws BenchException {
        out.printf(
                "%d rounds, each contender in a new JVM: %s s of warm-up, %s s measured; about %d s%n",
                plan.rounds(),
                plan.warmup().toMillis() / 1e3,
                plan.window().toMillis() / 1e3,
                plan.estimate().toSeconds() + 1);
        out.println(describeCores());
        out.println("every JVM: " + String.join(" ", ChildJvm.COMMON_FLAGS));
        out.flush();
        for (int round = 1; round <= plan.rounds(); round++) {
            for (MicroCase each : plan.suite().cases()) {
                List<MicroContender> order = new ArrayList<>(each.contenders());
                Collections.shuffle(order, ThreadLocalRandom.current());
                for (MicroContender contender : order) {
                    take(each, contender, round);
                }
            }
        }
        progress.end();
        tellDisturbance();
        Findings findings = new Findings(
                samples.values().stream().flatMap(List::stream).toList(),
                plan.suite().claims(),
                plan.precision());
        String suite = plan.suite().name();
        Map<String, Object> setup = setup();
        return new SuiteReport(
                suite,
                setup,
                MicroText.render(findings),
                MicroJson.document(suite, setup, findings, repeated),
                findings,
                Growth.charts(findings));
    }

    private void tellDisturbance() {
        long disturbed = samples.values().stream()
                .flatMap(List::stream)
                .filter(Sample::disturbed)
                .count();
        if (disturbed > 0) {
            out.printf(
                    "In %d JVMs that count others took more than a tenth of a core: measure again on a quiet machine.%n",
                    disturbed);
        } else if (!repeated.isEmpty()) {
            out.printf(
                    "%d JVMs in which others took more than a tenth of a core were run again and do not count.%n",
                    repeated.size());
        }
    }

    /** A rival that does not run here is left out of the rounds to come, and does not keep the others from running. */
    private void take(MicroCase subject, MicroContender contender, int round) throws BenchException {
        if (missing.contains(contender)) {
            return;
        }
        try {
            samples.computeIfAbsent(contender, unknown -> new ArrayList<>())
                    .add(undisturbed(subject, contender, round));
        } catch (BenchException failure) {
            if (!subject.rivals().contains(contender.label())) {
                throw failure;
            }
            missing.add(contender);
            out.printf("%s is left out of %s: %s%n", contender.label(), subject.name(), failure.getMessage());
        }
    }

    private Sample undisturbed(MicroCase subject, MicroContender contender, int round) throws BenchException {
        Sample sample = measure(subject, contender, round);
        for (int repeat = 0; repeat < plan.repeats() && sample.disturbed(); repeat++) {
            repeated.add(sample);
            sample = measure(subject, contender, round);
        }
        return sample;
    }

    private Sample measure(MicroCase subject, MicroContender contender, int round) throws BenchException {
        String where = "round %d of %d, %s, %s".formatted(round, plan.rounds(), subject.name(), contender.label());
        progress.now(where);
        List<Integer> given = coresFor(contender);
        Disturbance disturbance = Disturbance.watchChildren(given);
        double cost = new JmhFork(subject, profiled(subject, contender), given).run(plan.warmup(), plan.window());
        Sample sample =
                new Sample(subject.name(), contender.label(), round, cost, subject.unit(), disturbance.share(), false);
        progress.done(String.format(
                Locale.ROOT, "%s: %,.1f %s%s", where, cost, subject.unit(), sample.disturbed() ? " (disturbed)" : ""));
        return sample;
    }

    /** Of the profiled case, those that it is about. */
    private MicroContender profiled(MicroCase subject, MicroContender contender) {
        List<String> flags = new ArrayList<>(contender.flags());
        if (!subject.rivals().contains(contender.label())) {
            flags.addAll(profile.flags(subject.name()));
        }
        return contender.flags(flags);
    }

    private List<Integer> coresFor(MicroContender contender) {
        return contender.space() == Space.TWO_CORES
                ? cores.both()
                : cores.server().stream().boxed().toList();
    }

    private String describeCores() {
        return cores.server().isPresent()
                ? "JVMs on core %d, and where two are needed on %s"
                        .formatted(cores.server().getAsInt(), cores.both())
                : cores.description();
    }

    private Map<String, Object> setup() {
        Map<String, Object> flags = new LinkedHashMap<>();
        flags.put("all", ChildJvm.COMMON_FLAGS);
        for (MicroCase each : plan.suite().cases()) {
            each.contenders()
                    .forEach(contender -> flags.put(each.name() + ", " + contender.label(), contender.flags()));
        }
        Map<String, Object> setup = Machine.facts();
        setup.put("cores", describeCores());
        setup.put("rounds", plan.rounds());
        setup.put("seconds", plan.window().toMillis() / 1e3);
        setup.put("warmup", plan.warmup().toMillis() / 1e3);
        setup.put("jvmFlags", flags);
        return setup;
    }
}
