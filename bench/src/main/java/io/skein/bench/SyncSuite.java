package io.skein.bench;

import static io.skein.bench.sync.Contenders.JDK;
import static io.skein.bench.sync.Contenders.JOX;
import static io.skein.bench.sync.Contenders.JUC;
import static io.skein.bench.sync.Contenders.NETTY;
import static io.skein.bench.sync.Contenders.SKEIN;
import static io.skein.bench.sync.Contenders.SKEIN_APART;
import static io.skein.bench.sync.Contenders.SKEIN_JUC;

import io.skein.bench.report.Wanted;
import io.skein.bench.sync.Chain;
import io.skein.bench.sync.ContendedMutex;
import io.skein.bench.sync.HandOver;
import io.skein.bench.sync.Lateness;
import io.skein.bench.sync.SelectOfTwo;
import io.skein.bench.sync.SleepingHeap;
import io.skein.bench.sync.TimerChurn;
import io.skein.bench.sync.Transfer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code ./skein bench sync}: what it costs to wait for a value, a turn or a time, beside those who do the same. */
final class SyncSuite {
    private static final String KOTLIN = "kotlin";
    private static final String SKEIN_WHEEL = "skein, wheel";

    /** Two threads for Kotlin's pool. */
    private static final List<String> TWO_THREADS = List.of(
            "-Dkotlinx.coroutines.scheduler.core.pool.size=2", "-Dkotlinx.coroutines.scheduler.max.pool.size=2");

    /** Room for all who sleep, with stacks of interpreted frames at first. */
    private static final List<String> ROOM = List.of("-Xms3g", "-Xmx3g");

    /** So many alarms within a second keep a thread busy for a part of it. */
    private static final String MANY_ALARMS = "10000";

    /** So few that a thread has gone idle before each of them. */
    private static final String FEW_ALARMS = "200";

    static final MicroSuite SUITE = new MicroSuite(
            "sync",
            "Channels, selects, mutexes and timers: Skein beside Jox, Kotlin, the JDK and Netty.",
            List.of(
                    transferOnOne("rendezvous", 0).leftOutOfQuick(),
                    transferOnTwo("rendezvous-2", 0).leftOutOfQuick(),
                    transferOnOne("buffered", 100),
                    transferOnTwo("buffered-2", 100).leftOutOfQuick(),
                    MicroCase.timed(
                                    "select",
                                    onOne(SKEIN, SelectOfTwo.class, "skein", Map.of()),
                                    onOne(JOX, SelectOfTwo.class, "jox", Map.of()),
                                    MicroContender.of(KOTLIN, SelectOfTwo.class, "kotlin"))
                            .claim(SKEIN, JOX, Wanted.costAtMost(1.0))
                            .claim(SKEIN, KOTLIN, Wanted.nothing()),
                    MicroCase.timed(
                                    "mutex",
                                    onOne(SKEIN, ContendedMutex.class, "lockUnlock", Map.of()),
                                    onOne(SKEIN_JUC, ContendedMutex.class, "lockUnlock", Map.of()),
                                    onOne(JUC, ContendedMutex.class, "lockUnlock", Map.of()),
                                    MicroContender.of(KOTLIN, ContendedMutex.class, "kotlin"))
                            .claim(SKEIN, JUC, Wanted.costAtMost(1.0))
                            .claim(SKEIN_JUC, JUC, Wanted.costAtMost(1.0))
                            .claim(SKEIN, KOTLIN, Wanted.nothing()),
                    MicroCase.timed(
                                    "mutex-2",
                                    onTwo(SKEIN, ContendedMutex.class, "lockUnlock", Map.of()),
                                    onTwo(SKEIN_JUC, ContendedMutex.class, "lockUnlock", Map.of()),
                                    onTwo(JUC, ContendedMutex.class, "lockUnlock", Map.of()),
                                    kotlinOnTwo(ContendedMutex.class, Map.of()))
                            .claim(SKEIN, JUC, Wanted.costAtMost(1.0))
                            .claim(SKEIN_JUC, JUC, Wanted.costAtMost(1.0))
                            .claim(SKEIN, KOTLIN, Wanted.nothing())
                            .leftOutOfQuick(),
                    handOverOnOne("transfer-queue", HandOver.Means.TRANSFER_QUEUE)
                            .leftOutOfQuick(),
                    handOverOnTwo("transfer-queue-2", HandOver.Means.TRANSFER_QUEUE)
                            .leftOutOfQuick(),
                    handOverOnOne("linked-queue", HandOver.Means.LINKED_QUEUE).leftOutOfQuick(),
                    handOverOnTwo("linked-queue-2", HandOver.Means.LINKED_QUEUE).leftOutOfQuick(),
                    handOverOnOne("exchanger", HandOver.Means.EXCHANGER).leftOutOfQuick(),
                    handOverOnTwo("exchanger-2", HandOver.Means.EXCHANGER).leftOutOfQuick(),
                    handOverOnOne("semaphore", HandOver.Means.SEMAPHORE).leftOutOfQuick(),
                    handOverOnTwo("semaphore-2", HandOver.Means.SEMAPHORE).leftOutOfQuick(),
                    handOverOnOne("latch", HandOver.Means.LATCH).leftOutOfQuick(),
                    handOverOnTwo("latch-2", HandOver.Means.LATCH).leftOutOfQuick(),
                    handOverOnOne("future", HandOver.Means.FUTURE).leftOutOfQuick(),
                    handOverOnTwo("future-2", HandOver.Means.FUTURE).leftOutOfQuick(),
                    aheadOfJava(MicroCase.timed(
                                    "chain",
                                    onOne(SKEIN, Chain.class, "chain", Map.of()),
                                    onOne(JOX, Chain.class, "chain", Map.of()),
                                    onOne(JUC, Chain.class, "chain", Map.of()),
                                    MicroContender.of(KOTLIN, Chain.class, "kotlin")))
                            .leftOutOfQuick(),
                    MicroCase.timed(
                                    "timer",
                                    skeinTimer(SKEIN, "skeinTimeout"),
                                    skeinTimer(SKEIN_WHEEL, "skeinWheel"),
                                    MicroContender.of(JUC, TimerChurn.class, "scheduledPool"),
                                    MicroContender.of(NETTY, TimerChurn.class, "nettyWheel"))
                            .claim(SKEIN, JUC, Wanted.costAtMost(1.0))
                            .claim(SKEIN, NETTY, Wanted.nothing())
                            .claim(SKEIN_WHEEL, JUC, Wanted.nothing())
                            .claim(SKEIN_WHEEL, NETTY, Wanted.nothing()),
                    lateness("lateness-p50", "p50", MANY_ALARMS).leftOutOfQuick(),
                    lateness("lateness-p99", "p99", MANY_ALARMS),
                    lateness("lateness-idle", "p50", FEW_ALARMS).leftOutOfQuick(),
                    MicroCase.counted("sleeping-heap", "bytes", sleeping(SKEIN), sleeping(JDK))
                            .claim(SKEIN, JDK, Wanted.nothing())
                            .leftOutOfQuick()));

    private SyncSuite() {}

    private static MicroCase transferOnOne(String name, int capacity) {
        Map<String, String> parameters = Map.of("capacity", Integer.toString(capacity));
        return aheadOfJava(MicroCase.timed(
                        name,
                        onOne(SKEIN, Transfer.class, "transfer", parameters),
                        onOne(SKEIN_JUC, Transfer.class, "transfer", parameters),
                        onOne(JOX, Transfer.class, "transfer", parameters),
                        onOne(JUC, Transfer.class, "transfer", parameters),
                        MicroContender.of(KOTLIN, Transfer.class, "kotlin").with(parameters)))
                .claim(SKEIN_JUC, JUC, Wanted.costAtMost(1.0));
    }

    private static MicroCase transferOnTwo(String name, int capacity) {
        Map<String, String> parameters = Map.of("capacity", Integer.toString(capacity));
        return aheadOfJava(MicroCase.timed(
                        name,
                        onTwo(SKEIN, Transfer.class, "transfer", parameters),
                        onTwo(SKEIN_APART, Transfer.class, "transfer", parameters),
                        onTwo(SKEIN_JUC, Transfer.class, "transfer", parameters),
                        onTwo(JOX, Transfer.class, "transfer", parameters),
                        onTwo(JUC, Transfer.class, "transfer", parameters),
                        kotlinOnTwo(Transfer.class, parameters)))
                .claim(SKEIN_APART, SKEIN, Wanted.nothing())
                .claim(SKEIN_JUC, JUC, Wanted.costAtMost(1.0));
    }

    /** A class of the JDK's in coroutines and on the JDK's virtual threads: Skein has nothing of its own beside it. */
    private static MicroCase handOverOnOne(String name, HandOver.Means by) {
        Map<String, String> parameters = Map.of("by", by.name());
        return MicroCase.timed(
                        name,
                        onOne(SKEIN_JUC, HandOver.class, "handOver", parameters),
                        onOne(JUC, HandOver.class, "handOver", parameters))
                .claim(SKEIN_JUC, JUC, Wanted.costAtMost(1.0));
    }

    private static MicroCase handOverOnTwo(String name, HandOver.Means by) {
        Map<String, String> parameters = Map.of("by", by.name());
        return MicroCase.timed(
                        name,
                        onTwo(SKEIN_JUC, HandOver.class, "handOver", parameters),
                        onTwo(JUC, HandOver.class, "handOver", parameters))
                .claim(SKEIN_JUC, JUC, Wanted.costAtMost(1.0));
    }

    private static MicroCase aheadOfJava(MicroCase subject) {
        return subject.claim(SKEIN, JOX, Wanted.costAtMost(1.0))
                .claim(SKEIN, JUC, Wanted.costAtMost(1.0))
                .claim(SKEIN, KOTLIN, Wanted.nothing());
    }

    /** A figure of the same benchmark, which runs anew for each. */
    private static MicroCase lateness(String name, String figure, String alarms) {
        return MicroCase.counted(
                        name,
                        "µs",
                        figure,
                        late(SKEIN, alarms),
                        late(JUC, alarms),
                        late(NETTY, alarms),
                        late(JDK, alarms))
                .claim(SKEIN, JUC, Wanted.nothing())
                .claim(SKEIN, NETTY, Wanted.nothing())
                .claim(SKEIN, JDK, Wanted.nothing());
    }

    private static MicroContender late(String contender, String alarms) {
        return MicroContender.of(contender, Lateness.class, "late")
                .with(Map.of("contender", contender, "alarms", alarms))
                .flags(MicroContender.ONE_CARRIER);
    }

    private static MicroContender skeinTimer(String label, String method) {
        return MicroContender.of(label, TimerChurn.class, method).with(team(SKEIN, 1, Map.of()));
    }

    private static MicroContender sleeping(String contender) {
        List<String> flags = new ArrayList<>(MicroContender.ONE_CARRIER);
        flags.addAll(ROOM);
        return onOne(contender, SleepingHeap.class, "sleeping", Map.of())
                .flags(flags)
                .onTwoCores();
    }

    private static MicroContender onOne(String contender, Class<?> type, String method, Map<String, String> more) {
        return MicroContender.of(contender, type, method)
                .with(team(contender, 1, more))
                .flags(MicroContender.ONE_CARRIER);
    }

    private static MicroContender onTwo(String contender, Class<?> type, String method, Map<String, String> more) {
        return MicroContender.of(contender, type, method)
                .with(team(contender, 2, more))
                .flags(MicroContender.TWO_CARRIERS)
                .onTwoCores();
    }

    private static MicroContender kotlinOnTwo(Class<?> type, Map<String, String> parameters) {
        return MicroContender.of(KOTLIN, type, "kotlinOnItsPool")
                .with(parameters)
                .flags(TWO_THREADS)
                .onTwoCores();
    }

    private static Map<String, String> team(String contender, int workers, Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(more);
        parameters.put("contender", contender);
        parameters.put("workers", Integer.toString(workers));
        return parameters;
    }
}
