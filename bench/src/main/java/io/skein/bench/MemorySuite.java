package io.skein.bench;

import static io.skein.bench.sync.Contenders.JDK;
import static io.skein.bench.sync.Contenders.JUC;
import static io.skein.bench.sync.Contenders.NETTY;
import static io.skein.bench.sync.Contenders.SKEIN;

import io.skein.bench.load.Programs;
import io.skein.bench.report.Wanted;
import io.skein.bench.scheduler.KotlinParkedHeap;
import io.skein.bench.scheduler.ParkedHeap;
import io.skein.bench.sync.SleepingHeap;
import io.skein.bench.sync.TimerHeap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code ./skein bench memory}: what those cost who wait: for a peer, for each other, for a time. */
final class MemorySuite {
    private static final String WHEEL = "skein, wheel";
    private static final String NETTY_RING = "netty-io_uring";
    private static final String GO = "go";
    private static final String KOTLIN = "kotlin";
    private static final String PARKED = "skein, parked";

    /** What an idle connection may cost beyond the coroutine that waits for it. */
    private static final double BEYOND = 1536;

    private static final int FEW = 10_000;
    private static final int MANY = 1_000_000;
    private static final int[] CROWDS = {FEW, 100_000, MANY};
    private static final int[] CONNECTIONS = {FEW, 100_000};

    static final MicroSuite SUITE = new MicroSuite(
            "memory",
            "Bytes of an idle connection, a parked or sleeping coroutine, a timer: Skein beside the JDK and Netty.",
            cases(Descriptors.limit()));

    private MemorySuite() {}

    /** Only as many connections as descriptors allow. */
    static List<MicroCase> cases(long descriptors) {
        List<MicroCase> cases = new ArrayList<>();
        IntStream.of(CONNECTIONS)
                .filter(count -> Descriptors.allow(count, descriptors))
                .mapToObj(MemorySuite::idle)
                .forEach(cases::add);
        IntStream.of(CROWDS).mapToObj(MemorySuite::parked).forEach(cases::add);
        IntStream.of(CROWDS).mapToObj(MemorySuite::sleeping).forEach(cases::add);
        IntStream.of(CROWDS).mapToObj(MemorySuite::timers).forEach(cases::add);
        return cases;
    }

    private static MicroCase idle(int count) {
        List<MicroContender> contenders = new ArrayList<>(List.of(
                connected(SKEIN, count),
                connected(JDK, count),
                connected(NETTY_RING, count),
                crowd(PARKED, ParkedHeap.class, "parked", count, Map.of("contender", SKEIN))));
        if (Programs.haveOne(GO)) {
            contenders.add(connected(GO, count));
        }
        MicroCase subject = MicroCase.counted(name("idle", count), "bytes", contenders.toArray(MicroContender[]::new))
                .claim(SKEIN, PARKED, Wanted.extraCostAtMost(BEYOND))
                .claim(SKEIN, JDK, Wanted.costAtMost(1.0))
                .claim(SKEIN, NETTY_RING, Wanted.nothing());
        MicroCase whole = Programs.haveOne(GO) ? subject.claim(SKEIN, GO, Wanted.nothing()) : subject;
        return count == FEW ? whole : whole.leftOutOfQuick();
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
                        crowd(JDK, ParkedHeap.class, "parked", count, Map.of("contender", JDK)),
                        crowd(KOTLIN, KotlinParkedHeap.class, "parked", count, Map.of()))
                .claim(SKEIN, JDK, Wanted.costAtMost(1.15))
                .claim(SKEIN, KOTLIN, Wanted.nothing());
        return subject.leftOutOfQuick(); // a tenth apart, which a quick run does not tell
    }

    private static MicroCase sleeping(int count) {
        MicroCase subject = MicroCase.counted(
                        name("sleeping", count),
                        "bytes",
                        crowd(SKEIN, SleepingHeap.class, "sleeping", count, Map.of("contender", SKEIN)),
                        crowd(JDK, SleepingHeap.class, "sleeping", count, Map.of("contender", JDK)))
                .claim(SKEIN, JDK, Wanted.nothing());
        return subject.leftOutOfQuick();
    }

    private static MicroCase timers(int count) {
        MicroCase subject = MicroCase.counted(
                        name("timer", count),
                        "bytes",
                        crowd(WHEEL, TimerHeap.class, "skeinWheel", count, Map.of("contender", SKEIN)),
                        crowd(JUC, TimerHeap.class, "scheduledPool", count, Map.of()),
                        crowd(NETTY, TimerHeap.class, "nettyWheel", count, Map.of()))
                .claim(WHEEL, JUC, Wanted.costAtMost(1.0))
                .claim(WHEEL, NETTY, Wanted.nothing());
        return subject.leftOutOfQuick();
    }

    /** The benchmark's parameter for how many there are has the name of its method, unless they are timers. */
    private static MicroContender crowd(
            String label, Class<?> type, String method, int count, Map<String, String> more) {
        List<String> flags = new ArrayList<>(MicroContender.ONE_CARRIER);
        flags.addAll(room(count));
        Map<String, String> parameters = new HashMap<>(more);
        parameters.put(type == TimerHeap.class ? "timers" : method, Integer.toString(count));
        return MicroContender.of(label, type, method)
                .with(parameters)
                .flags(flags)
                .onTwoCores();
    }

    /** For all who wait, with stacks of interpreted frames at first; no more, because all of it is touched at the start. */
    private static List<String> room(int count) {
        String size = count <= FEW ? "512m" : count < MANY ? "1g" : "3g";
        return List.of("-Xms" + size, "-Xmx" + size);
    }

    private static String name(String what, int count) {
        return String.format(Locale.ROOT, "%s-%s", what, count < MANY ? count / 1000 + "k" : "1M");
    }
}
