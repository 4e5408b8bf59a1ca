package io.skein.bench;

import io.skein.bench.load.LoadReport;
import io.skein.bench.load.Scenario;
import io.skein.bench.report.LoadReports;
import io.skein.bench.report.Round;
import io.skein.bench.report.SuiteReport;
import io.skein.bench.report.Wanted;
import io.skein.bench.server.Contender;
import io.skein.bench.server.Setting;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs the comparison of servers under load: all servers of a kind stay up, one at a time is driven, and each round drives
 * all of them in a new random order, so that whatever else the machine does meets them alike.
 */
final class LoadSuite {
    /** How much more CPU than the loop in C a request may cost. */
    private static final double BESIDE_C = 1.1;

    /** How much more CPU an operation of somebody's library may cost than on the JDK's virtual threads. */
    private static final double LIBRARY_COST = 1.03;

    /** How much of the throughput that it has there it must have. */
    private static final double LIBRARY_SPEED = 0.97;

    private final LoadPlan plan;
    private final LoadPlan.Effort effort;
    private final Profile profile;
    private final PrintWriter out;
    private final Progress progress;
    private final Cores cores = Cores.ofThisMachine();
    private final List<RunningServer> servers = new ArrayList<>();
    private final Map<String, Object> descriptions = new LinkedHashMap<>();
    private final List<Round> rounds = new ArrayList<>();
    private final List<Round> repeated = new ArrayList<>();

    LoadSuite(LoadPlan plan, Profile profile, PrintWriter out) {
        this.plan = plan;
        effort = plan.effort();
        this.profile = profile;
        this.out = out;
        progress = new Progress(out);
    }

    SuiteReport run() throws BenchException {
        out.printf(
                "%s: %d rounds of %s s per server and scenario; about %d s%n",
                plan.suite(),
                effort.rounds(),
                effort.window().toMillis() / 1e3,
                plan.estimate().toSeconds() + 1);
        out.println(cores.description());
        tellSharing();
        out.println("every JVM: " + String.join(" ", ChildJvm.COMMON_FLAGS));
        out.flush();
        try (LoadProcess load = LoadProcess.start(cores)) {
            out.println("load generator: " + load.description());
            for (Map.Entry<Setting, List<Scenario>> setting : plan.settings().entrySet()) {
                run(load, setting.getKey(), setting.getValue());
            }
            progress.end();
            tellDisturbance();
            List<String> labels =
                    plan.contenders().stream().map(Contender::label).toList();
            return LoadReports.of(
                    plan.suite(),
                    setup(load),
                    labels,
                    rounds,
                    repeated,
                    plan.precision(),
                    LoadSuite::wanted,
                    LoadSuite::wantedTime);
        }
    }

    private void tellSharing() {
        int least = plan.scenarios().stream()
                .mapToInt(Scenario::workers)
                .filter(cores::shared)
                .min()
                .orElse(0);
        if (least > 0) {
            out.printf("from %d workers on, servers share a core with the load generator%n", least);
        }
    }

    private void run(LoadProcess load, Setting setting, List<Scenario> scenarios) throws BenchException {
        try {
            for (Contender contender : plan.contenders()) {
                start(contender, setting);
            }
            for (int batch = 0; batch < LoadPlan.START_BATCHES; batch++) {
                warmUp(load, LoadPlan.start(scenarios.getFirst()), effort.start());
            }
            for (Scenario scenario : scenarios) {
                warmUp(load, scenario, effort.warmup());
                for (int number = 1; number <= effort.rounds(); number++) {
                    round(load, scenario, number);
                }
            }
        } finally {
            servers.forEach(RunningServer::close);
            servers.clear();
        }
    }

    /** Starts a server; a rival that this machine cannot run, or that does not do this, does not keep the others from it. */
    private void start(Contender contender, Setting setting) throws BenchException {
        String what = contender.label() + ", " + describe(setting);
        try {
            List<String> flags = new ArrayList<>(contender.jvmFlags(setting.workers()));
            flags.addAll(setting.service().jvmFlags());
            flags.addAll(profile.flags(contender.label()));
            RunningServer server = RunningServer.start(contender, setting, cores.servers(setting.workers()), flags);
            servers.add(server);
            descriptions.put(what, server.description());
            out.println(what + ": " + server.description() + (flags.isEmpty() ? "" : "; " + String.join(" ", flags)));
        } catch (UnsupportedOperationException unavailable) {
            tellMissing(what, unavailable);
        } catch (BenchException broken) {
            if (contender == Contender.SKEIN) {
                throw broken;
            }
            tellMissing(what, broken);
        }
        out.flush();
    }

    private void tellMissing(String what, Exception reason) {
        descriptions.put(what, String.valueOf(reason.getMessage()));
        out.println(what + " is left out: " + reason.getMessage());
    }

    private static String describe(Setting setting) {
        String service = setting.service().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return service
                + (setting.workers() > 1 ? " by " + setting.workers() + " workers" : "")
                + (setting.workMicros() > 0 ? " after " + setting.workMicros() + " µs of work" : "");
    }

    private void warmUp(LoadProcess load, Scenario scenario, Duration time) throws BenchException {
        if (time.isZero()) {
            return;
        }
        for (RunningServer server : List.copyOf(servers)) {
            progress.now("%s, warming up %s"
                    .formatted(scenario.title(), server.contender().label()));
            try {
                load.drive(server, scenario, Duration.ZERO, time);
            } catch (BenchException failure) {
                leaveOut(server, load, failure);
            }
        }
    }

    private void round(LoadProcess load, Scenario scenario, int number) throws BenchException {
        List<RunningServer> order = new ArrayList<>(servers);
        Collections.shuffle(order, ThreadLocalRandom.current());
        for (RunningServer server : order) {
            try {
                rounds.add(undisturbed(load, server, scenario, number));
            } catch (BenchException failure) {
                leaveOut(server, load, failure);
            }
        }
    }

    /** A rival that breaks down does not keep the others from running. */
    private void leaveOut(RunningServer server, LoadProcess load, BenchException failure) throws BenchException {
        if (server.contender() == Contender.SKEIN || !load.isAlive()) {
            throw failure;
        }
        out.println(server.contender().label() + " is left out from here on: " + failure.getMessage());
        servers.remove(server);
        server.close();
    }

    private Round undisturbed(LoadProcess load, RunningServer server, Scenario scenario, int number)
            throws BenchException {
        Round round = drive(load, server, scenario, number);
        for (int repeat = 0; repeat < effort.repeats() && round.disturbed(); repeat++) {
            repeated.add(round);
            round = drive(load, server, scenario, number);
        }
        return round;
    }

    private Round drive(LoadProcess load, RunningServer server, Scenario scenario, int number) throws BenchException {
        String label = server.contender().label();
        String where = "%s, round %d of %d, %s".formatted(scenario.title(), number, effort.rounds(), label);
        progress.now(where);
        int workers = scenario.workers();
        Disturbance disturbance = Disturbance.watch(cores.all(workers), server.pid(), load.pid());
        LoadReport report = load.drive(server, scenario, effort.ramp(), effort.window());
        Round round = new Round(label, scenario, number, report, disturbance.share(), cores.shared(workers));
        progress.done(String.format(
                Locale.ROOT,
                "%s: %,.2f %s/s, %,.2f µs CPU each%s",
                where,
                round.perSecond(),
                scenario.traffic().operation(),
                round.cpuMicros(),
                round.disturbed() ? " (disturbed)" : ""));
        return round;
    }

    private void tellDisturbance() {
        long disturbed = rounds.stream().filter(Round::disturbed).count();
        if (disturbed > 0) {
            out.printf(
                    "In %d of %d rounds others took more than a tenth of a core: measure again on a quiet machine.%n",
                    disturbed, rounds.size());
        } else if (!repeated.isEmpty()) {
            out.printf(
                    "%d rounds in which others took more than a tenth of a core were driven again and do not count.%n",
                    repeated.size());
        }
    }

    /** Never more CPU than another Java server, and little more than the C server that drives its ring alike. */
    private static Wanted wanted(Scenario scenario, String rival) {
        if (scenario.traffic().isOfLibrary()) {
            return Wanted.costAtMost(LIBRARY_COST);
        }
        Contender contender = Contender.labelled(rival).orElseThrow();
        if (contender.isJava() && contender != Contender.SKEIN_READ) {
            return Wanted.costAtMost(1.0);
        }
        return contender == Contender.C_URING ? Wanted.costAtMost(BESIDE_C) : Wanted.nothing();
    }

    private static Wanted wantedTime(Scenario scenario, String rival) {
        return scenario.traffic().isOfLibrary() ? Wanted.speedAtLeast(LIBRARY_SPEED) : Wanted.nothing();
    }

    private Map<String, Object> setup(LoadProcess load) {
        Map<String, Object> flags = new LinkedHashMap<>();
        flags.put("all", ChildJvm.COMMON_FLAGS);
        plan.contenders().forEach(contender -> flags.put(contender.label(), contender.jvmFlags(1)));
        Map<String, Object> setup = Machine.facts();
        setup.put("cores", cores.description());
        setup.put("rounds", effort.rounds());
        setup.put("seconds", effort.window().toMillis() / 1e3);
        setup.put("start", effort.start().toMillis() / 1e3);
        setup.put("warmup", effort.warmup().toMillis() / 1e3);
        setup.put("loadGenerator", load.description());
        setup.put("servers", descriptions);
        setup.put("jvmFlags", flags);
        return setup;
    }
}
