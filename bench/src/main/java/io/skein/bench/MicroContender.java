package io.skein.bench;

import java.util.List;
import java.util.Map;

/**
 * Who takes part in a case.
 *
 * @param label the name in the table
 * @param benchmark the JMH benchmark: class and method
 * @param parameters the benchmark's
 * @param flags what its JVM gets beyond the flags that all get
 * @param space the cores that its JVM gets
 */
record MicroContender(String label, String benchmark, Map<String, String> parameters, List<String> flags, Space space) {
    /** Flags for the JDK's scheduler with one carrier, as Skein has one worker. */
    static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    /** The same with two carriers, as Skein has two workers. */
    static final List<String> TWO_CARRIERS =
            List.of("-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2");

    enum Space {
        ONE_CORE,
        TWO_CORES
    }

    MicroContender {
        parameters = Map.copyOf(parameters);
        flags = List.copyOf(flags);
    }

    static MicroContender of(String label, Class<?> type, String method) {
        return new MicroContender(label, type.getName() + "." + method, Map.of(), List.of(), Space.ONE_CORE);
    }

    MicroContender with(Map<String, String> given) {
        return new MicroContender(label, benchmark, given, flags, space);
    }

    MicroContender flags(List<String> given) {
        return new MicroContender(label, benchmark, parameters, given, space);
    }

    MicroContender onTwoCores() {
        return new MicroContender(label, benchmark, parameters, flags, Space.TWO_CORES);
    }
}
