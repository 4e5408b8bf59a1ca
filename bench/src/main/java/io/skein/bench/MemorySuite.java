package io.skein.bench;

import static io.skein.bench.sync.Contenders.JDK;
import static io.skein.bench.sync.Contenders.JUC;
import static io.skein.bench.sync.Contenders.NETTY;
import static io.skein.bench.sync.Contenders.SKEIN;

import io.skein.bench.report.Wanted;
import io.skein.bench.scheduler.ParkedHeap;
import io.skein.bench.sync.SleepingHeap;
import io.skein.bench.sync.TimerHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** {@code ./skein bench memory}: what those cost who wait: for a peer, for each other, for a time. */
final class MemorySuite {
    /** Room for all who wait, with stacks of interpreted frames at first. */
    private static final List<String> ROOM = List.of("-Xms3g", "-Xmx3g");

    private static final String WHEEL = "skein, wheel";
    private static final String NETTY_RING = "netty-io_uring";
    private static final String PARKED = "skein, parked";

    /** What an idle connection may cost beyond the coroutine that waits for it. */
    private static final double BEYOND = 1536;

    private static final int FEW = 10_000;
    private static final int[] CROWDS = {FEW, 100_000, 1_000_000};
    private static final int[] CONNECTIONS = {FEW, 100_000};

    /** Descriptors that a process has beside its connections, generously. */
    private static final int OTHER_DESCRIPTORS = 500;

    private static final Pattern LIMIT = Pattern.compile("Max open files +\\S+ +(\\d+)");

    static final MicroSuite SUITE = new MicroSuite(
            "memory",
            "Bytes of an idle connection, a parked or sleeping coroutine, a timer: Skein beside the JDK and Netty.",
            cases(descriptorLimit()));

    private MemorySuite() {}

    /** Only as many connections as descriptors allow. */
    static List<MicroCase> cases(long descriptors) {
        List<MicroCase> cases = new ArrayList<>();
        IntStream.of(CONNECTIONS)
                .filter(count -> count + OTHER_DESCRIPTORS <= descriptors)
                .mapToObj(MemorySuite::idle)
                .forEach(cases::add);
        IntStream.of(CROWDS).mapToObj(MemorySuite::parked).forEach(cases::add);
        IntStream.of(CROWDS).mapToObj(MemorySuite::sleeping).forEach(cases::add);
        IntStream.of(CROWDS).mapToObj(MemorySuite::timers).forEach(cases::add);
        return cases;
    }

    private static MicroCase idle(int count) {
        MicroCase subject = MicroCase.counted(
                        name("idle", count),
                        "bytes",
                        connected(SKEIN, count),
                        connected(JDK, count),
                        connected(NETTY_RING, count),
                        crowd(PARKED, ParkedHeap.class, "parked", count, Map.of("contender", SKEIN)))
                .claim(SKEIN, PARKED, Wanted.extraCostAtMost(BEYOND))
                .claim(SKEIN, JDK, Wanted.costAtMost(1.0))
                .claim(SKEIN, NETTY_RING, Wanted.nothing());
        return thorough(subject, count);
    }

    private static MicroContender connected(String contender, int count) {
        return MicroContender.of(contender, IdleConnections.class, "idle")
                .with(Map.of("contender", contender, "idle", Integer.toString(count)))
                .onTwoCores();
    }

    private static MicroCase parked(int count) {
        MicroCase subject = MicroCase.counted(
                        name("parked", count),
                        "bytes",
                        crowd(SKEIN, ParkedHeap.class, "parked", count, Map.of("contender", SKEIN)),
                        crowd(JDK, ParkedHeap.class, "parked", count, Map.of("contender", JDK)))
                .claim(SKEIN, JDK, Wanted.costAtMost(1.15));
        return thorough(subject, count);
    }

    private static MicroCase sleeping(int count) {
        MicroCase subject = MicroCase.counted(
                        name("sleeping", count),
                        "bytes",
                        crowd(SKEIN, SleepingHeap.class, "sleeping", count, Map.of("contender", SKEIN)),
                        crowd(JDK, SleepingHeap.class, "sleeping", count, Map.of("contender", JDK)))
                .claim(SKEIN, JDK, Wanted.nothing());
        return thorough(subject, count);
    }

    private static MicroCase timers(int count) {
        MicroCase subject = MicroCase.counted(
                        name("timer", count),
                        "bytes",
                        crowd(WHEEL, TimerHeap.class, "skeinWheel", count, Map.of("contender", SKEIN)),
                        crowd(JUC, TimerHeap.class, "scheduledPool", count, Map.of()),
                        crowd(NETTY, TimerHeap.class, "nettyWheel", count, Map.of()))
                .claim(WHEEL, JUC, Wanted.nothing())
                .claim(WHEEL, NETTY, Wanted.nothing());
        return thorough(subject, count);
    }

    /** The benchmark's parameter for how many there are has the name of its method, unless they are timers. */
    private static MicroContender crowd(
            String label, Class<?> type, String method, int count, Map<String, String> more) {
        List<String> flags = new ArrayList<>(MicroContender.ONE_CARRIER);
        flags.addAll(ROOM);
        Map<String, String> parameters = new HashMap<>(more);
        parameters.put(type == TimerHeap.class ? "timers" : method, Integer.toString(count));
        return MicroContender.of(label, type, method)
                .with(parameters)
                .flags(flags)
                .onTwoCores();
    }

    private static MicroCase thorough(MicroCase subject, int count) {
        return count == FEW ? subject : subject.leftOutOfQuick();
    }

    private static String name(String what, int count) {
        return String.format(Locale.ROOT, "%s-%s", what, count < 1_000_000 ? count / 1000 + "k" : "1M");
    }

    /** What the kernel grants; a JVM asks for all of it. */
    private static long descriptorLimit() {
        try {
            Matcher matcher = LIMIT.matcher(Files.readString(Path.of("/proc/self/limits")));
            return matcher.find() ? Long.parseLong(matcher.group(1)) : Long.MAX_VALUE;
        } catch (IOException unknown) {
            return 0;
        }
    }
}
