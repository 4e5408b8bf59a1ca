package io.skein.bench.scheduler;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Who runs the coroutines of a benchmark. A JVM has one contender only, so that nobody's profile meets another's. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls start()
public class Host {
    @Param({Contenders.SKEIN, Contenders.JDK})
    public String contender;

    private Coroutines coroutines;

    @Setup
    public void start() {
        coroutines = Coroutines.of(contender);
    }

    @TearDown
    public void stop() {
        coroutines.close();
    }

    Coroutines coroutines() {
        return coroutines;
    }
}
