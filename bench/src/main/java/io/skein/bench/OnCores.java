package io.skein.bench;

import java.io.File;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;

/** Starts the JVM of a benchmark on some cores only. Profilers are how JMH lets others have a say in the command. */
public final class OnCores implements ExternalProfiler {
    private final String cores;

    /**
     * JMH calls it.
     *
     * @param cores a list as {@code taskset} takes it
     */
    public OnCores(String cores) {
        this.cores = cores;
    }

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams benchmark) {
        return List.of("taskset", "-c", cores);
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams benchmark) {
        return List.of();
    }

    @Override
    public void beforeTrial(BenchmarkParams benchmark) {}

    @Override
    public Collection<? extends Result<?>> afterTrial(
            BenchmarkResult benchmark, long pid, File standardOutput, File standardError) {
        return List.of();
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    @Override
    public String getDescription() {
        return "the cores that a JVM may use";
    }
}
