package io.skein.bench;

import io.skein.bench.coroutine.AwaitTask;
import io.skein.bench.coroutine.Elements;
import io.skein.bench.coroutine.ForkJoin;
import io.skein.bench.report.Wanted;
import java.util.List;

/** {@code ./skein bench coroutine}: what tasks, scopes and generators add to coroutines and plain calls. */
final class CoroutineSuite {
    private static final String FRESH_TASK = "make+await";
    private static final String UNUSED_TASK = "make+call";
    private static final String DONE_TASK = "done task";
    private static final String CALL = "call";
    private static final String FORK_JOIN = "fork+join";
    private static final String SCOPE = "scope";
    private static final String SPAWN = "spawn+join";
    private static final String JDK_SCOPE = "jdk scope";
    private static final String GENERATOR = "generator";
    private static final String JDK_QUEUE = "jdk queue";
    private static final String KOTLIN = "kotlin";
    private static final String ITERATOR = "iterator";

    static final MicroSuite SUITE = new MicroSuite(
            "coroutine",
            "Tasks, scopes and generators: Skein beside plain calls, the JDK and Kotlin.",
            List.of(
                    MicroCase.timed(
                                    "task",
                                    MicroContender.of(FRESH_TASK, AwaitTask.class, "makeAndAwait"),
                                    MicroContender.of(DONE_TASK, AwaitTask.class, "awaitDone"),
                                    MicroContender.of(UNUSED_TASK, AwaitTask.class, "makeAndCall"),
                                    MicroContender.of(CALL, AwaitTask.class, "call"))
                            .claim(FRESH_TASK, CALL, Wanted.extraCostAtMost(15))
                            .claim(FRESH_TASK, UNUSED_TASK, Wanted.extraCost())
                            .claim(DONE_TASK, CALL, Wanted.extraCost())
                            .leftOutOfQuick(), // whether some nanoseconds are too many
                    MicroCase.timed(
                                    "fork-join",
                                    MicroContender.of(FORK_JOIN, ForkJoin.class, "forkInScope"),
                                    MicroContender.of(SCOPE, ForkJoin.class, "scope"),
                                    MicroContender.of(SPAWN, ForkJoin.class, "spawn"),
                                    MicroContender.of(JDK_SCOPE, ForkJoin.class, "jdkScope")
                                            .flags(MicroContender.ONE_CARRIER))
                            .claim(SCOPE, SPAWN, Wanted.costAtMost(1.1))
                            .claim(FORK_JOIN, SPAWN, Wanted.nothing())
                            .claim(SCOPE, JDK_SCOPE, Wanted.nothing())
                            .leftOutOfQuick(), // less than a tenth apart
                    MicroCase.timed(
                                    "generator",
                                    MicroContender.of(GENERATOR, Elements.class, "generator"),
                                    MicroContender.of(JDK_QUEUE, Elements.class, "handover")
                                            .flags(MicroContender.ONE_CARRIER),
                                    MicroContender.of(KOTLIN, Elements.class, "kotlinSequence"),
                                    MicroContender.of(ITERATOR, Elements.class, "iterator"))
                            .claim(GENERATOR, JDK_QUEUE, Wanted.costAtMost(0.5))
                            .claim(GENERATOR, KOTLIN, Wanted.nothing())
                            .claim(GENERATOR, ITERATOR, Wanted.nothing())));

    private CoroutineSuite() {}
}
