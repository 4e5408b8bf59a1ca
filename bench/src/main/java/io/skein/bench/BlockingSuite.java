package io.skein.bench;

import static io.skein.bench.sync.Contenders.JDK;
import static io.skein.bench.sync.Contenders.SKEIN;
import static io.skein.bench.sync.Contenders.SKEIN_APART;

import io.skein.bench.blocking.Call;
import io.skein.bench.blocking.Ticks;
import io.skein.bench.report.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code ./skein bench blocking}: how often a ticker of 10 ms ticks beside coroutines that block in the JDK, one for each worker. */
final class BlockingSuite {
    private static final String UNIT = "ms/tick";
    private static final String COUNTER = "millis";
    private static final int[] WORKERS = {1, 2, 8};

    static final MicroSuite SUITE = new MicroSuite(
            "blocking",
            "The pace of a ticker beside coroutines that block in the JDK, one for each worker: Skein beside the JDK.",
            cases());

    private BlockingSuite() {}

    private static List<MicroCase> cases() {
        List<MicroCase> cases = new ArrayList<>();
        for (Call.Kind kind : Call.Kind.values()) {
            for (int workers : WORKERS) {
                cases.add(subject(kind, workers));
            }
        }
        return cases;
    }

    /** With one worker there is nothing to steal. */
    private static MicroCase subject(Call.Kind kind, int workers) {
        String kindName = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (workers == 1) {
            MicroCase alone = MicroCase.counted(
                            kindName, UNIT, COUNTER, beside(kind, SKEIN, workers), beside(kind, JDK, workers))
                    .claim(SKEIN, JDK, Wanted.costAtMost(1.0));
            return kind == Call.Kind.PROCESS_PIPE ? alone : alone.leftOutOfQuick();
        }
        return MicroCase.counted(
                        kindName + "-" + workers,
                        UNIT,
                        COUNTER,
                        beside(kind, SKEIN, workers),
                        beside(kind, SKEIN_APART, workers),
                        beside(kind, JDK, workers))
                .claim(SKEIN, JDK, Wanted.costAtMost(1.0))
                .claim(SKEIN_APART, JDK, Wanted.costAtMost(1.0))
                .leftOutOfQuick();
    }

    /** The JDK may add carriers for those that block, as it does by default. */
    private static MicroContender beside(Call.Kind kind, String contender, int workers) {
        return MicroContender.of(contender, Ticks.class, "ticks")
                .with(Map.of("kind", kind.name(), "contender", contender, "workers", Integer.toString(workers)))
                .flags(List.of("-Djdk.virtualThreadScheduler.parallelism=" + workers))
                .onTwoCores();
    }
}
