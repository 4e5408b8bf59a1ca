package io.skein.bench;

import static io.skein.bench.scheduler.Contenders.JDK;
import static io.skein.bench.scheduler.Contenders.SKEIN;
import static io.skein.bench.scheduler.Contenders.THREADS;

import io.skein.bench.report.Wanted;
import io.skein.bench.scheduler.ParkUnpark;
import io.skein.bench.scheduler.ParkedHeap;
import io.skein.bench.scheduler.PingPong;
import io.skein.bench.scheduler.SharedWork;
import io.skein.bench.scheduler.SpawnJoin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code ./skein bench scheduler}: what coroutines cost, beside JDK virtual threads on their own scheduler. */
final class SchedulerSuite {
    /** Room for all who are parked, with stacks of interpreted frames at first. */
    private static final List<String> ROOM = List.of("-Xms1g", "-Xmx1g");

    private static final String KOTLIN = "kotlin";
    private static final String CONTINUATION = "continuation";
    private static final String ONE_WORKER = "skein, 1 worker";
    private static final String TWO_WORKERS = "skein, 2 workers";
    private static final String TWO_THREADS = "2 threads";

    static final MicroSuite SUITE = new MicroSuite(
            "scheduler",
            "Spawning, parking, switching, sharing work: Skein beside JDK virtual threads.",
            List.of(
                    MicroCase.timed(
                                    "spawn+join",
                                    skein(SpawnJoin.class, "spawnJoin"),
                                    jdk(SpawnJoin.class, "spawnJoin"))
                            .claim(SKEIN, JDK, Wanted.costAtMost(1.0)),
                    MicroCase.timed(
                                    "park/unpark",
                                    skein(ParkUnpark.class, "parkUnpark"),
                                    jdk(ParkUnpark.class, "parkUnpark"))
                            .claim(SKEIN, JDK, Wanted.costAtMost(1.0)),
                    MicroCase.timed(
                                    "ping-pong",
                                    skein(PingPong.class, "virtualThreads"),
                                    jdk(PingPong.class, "virtualThreads"),
                                    MicroContender.of(KOTLIN, PingPong.class, "kotlin"),
                                    MicroContender.of(CONTINUATION, PingPong.class, "continuations"))
                            .claim(SKEIN, JDK, Wanted.costAtMost(0.9))
                            .claim(SKEIN, KOTLIN, Wanted.nothing())
                            .claim(SKEIN, CONTINUATION, Wanted.nothing())
                            .leftOutOfQuick(), // the JDK's figure goes between two, a tenth apart
                    MicroCase.timed(
                                    "shared-work",
                                    crew(ONE_WORKER, SKEIN, 1),
                                    crew(TWO_WORKERS, SKEIN, 2),
                                    crew(TWO_THREADS, THREADS, 2))
                            .claim(TWO_WORKERS, ONE_WORKER, Wanted.speedAtLeast(1.8))
                            .claim(TWO_WORKERS, TWO_THREADS, Wanted.nothing()),
                    MicroCase.counted(
                                    "parked-heap",
                                    "bytes",
                                    roomy(skein(ParkedHeap.class, "parked")),
                                    roomy(jdk(ParkedHeap.class, "parked")))
                            .claim(SKEIN, JDK, Wanted.costAtMost(1.15))
                            .leftOutOfQuick()));

    private SchedulerSuite() {}

    private static MicroContender skein(Class<?> type, String method) {
        return MicroContender.of(SKEIN, type, method).with(Map.of("contender", SKEIN));
    }

    private static MicroContender jdk(Class<?> type, String method) {
        return MicroContender.of(JDK, type, method)
                .with(Map.of("contender", JDK))
                .flags(MicroContender.ONE_CARRIER);
    }

    private static MicroContender crew(String label, String contender, int workers) {
        return MicroContender.of(label, SharedWork.class, "allOnTheFirstWorker")
                .with(Map.of("contender", contender, "workers", Integer.toString(workers)))
                .onTwoCores();
    }

    private static MicroContender roomy(MicroContender contender) {
        List<String> flags = new ArrayList<>(contender.flags());
        flags.addAll(ROOM);
        return contender.flags(flags).onTwoCores();
    }
}
