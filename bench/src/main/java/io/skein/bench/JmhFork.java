package io.skein.bench;

import io.skein.bench.report.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** One contender, once, in a new JVM that JMH starts, warms up and measures. */
record JmhFork(MicroCase subject, MicroContender contender, List<Integer> cores) {
    private static final Duration ITERATION = Duration.ofMillis(100);
    private static final TimeValue PATIENCE = TimeValue.seconds(60);

    /** JMH itself uses Unsafe, which JDK 25 warns about. */
    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    static {
        // Who else measures on this machine is seen by what it does to our cores, whether or not it uses JMH.
        System.setProperty("jmh.ignoreLock", "true");
    }

    /** What one operation cost: the median of the window's iterations, so that a hiccup in one of them does not count. */
    double run(Duration warmup, Duration window) throws BenchException {
        return run(1, warmup, window);
    }

    /** The same in this JVM, without its flags and cores: soon done, and good to see that it runs, not what it costs. */
    double runHere(Duration window) throws BenchException {
        return run(0, Duration.ZERO, window);
    }

    private double run(int forks, Duration warmup, Duration window) throws BenchException {
        try {
            Path log = Files.createTempFile("skein-bench", ".log");
            try {
                Collection<RunResult> results =
                        new Runner(options(forks, warmup, window, log).build()).run();
                return Series.of(iterations(results), this::cost).median();
            } catch (RunnerException failure) {
                throw new BenchException(
                        "%s of %s failed:%n%s".formatted(subject.name(), contender.label(), Files.readString(log)),
                        failure);
            } finally {
                Files.delete(log);
            }
        } catch (IOException failure) {
            throw new BenchException("JMH's log: " + failure.getMessage(), failure);
        }
    }

    private ChainedOptionsBuilder options(int forks, Duration warmup, Duration window, Path log) {
        boolean once = subject.counter().isPresent();
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(contender.benchmark()) + "$")
                .forks(forks)
                .warmupIterations(once ? 0 : count(warmup))
                .warmupTime(TimeValue.milliseconds(ITERATION.toMillis()))
                .measurementIterations(once ? 1 : Math.max(1, count(window)))
                .measurementTime(TimeValue.milliseconds(ITERATION.toMillis()))
                .timeout(PATIENCE)
                .shouldFailOnError(true)
                .output(log.toString())
                .jvmArgs(flags().toArray(String[]::new));
        contender.parameters().forEach(options::param);
        if (!cores.isEmpty()) {
            options.addProfiler(
                    OnCores.class, cores.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        return options;
    }

    private static int count(Duration duration) {
        return Math.toIntExact(Math.ceilDiv(duration.toNanos(), ITERATION.toNanos()));
    }

    private List<String> flags() {
        List<String> flags = new ArrayList<>(ChildJvm.COMMON_FLAGS);
        flags.add(UNSAFE);
        flags.addAll(contender.flags());
        return flags;
    }

    private List<IterationResult> iterations(Collection<RunResult> results) throws BenchException {
        List<IterationResult> iterations = results.stream()
                .flatMap(result -> result.getBenchmarkResults().stream())
                .flatMap(result -> result.getIterationResults().stream())
                .toList();
        if (results.size() != 1 || iterations.isEmpty()) {
            throw new BenchException(contender.benchmark() + " names " + results.size() + " benchmarks");
        }
        return iterations;
    }

    private double cost(IterationResult iteration) {
        Result<?> result = subject.counter()
                .<Result<?>>map(counter -> iteration.getSecondaryResults().get(counter))
                .orElseGet(iteration::getPrimaryResult);
        return result.getScore();
    }
}
