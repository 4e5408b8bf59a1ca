package io.skein.bench.sync;

import io.skein.Action;
import java.util.List;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The coroutines of a benchmark. A JVM has one contender only, so that nobody's profile meets another's. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start()
public class Team {
    @Param({Contenders.SKEIN, Contenders.SKEIN_JUC, Contenders.JOX, Contenders.JUC})
    public String contender;

    /** Skein's; the JDK's scheduler takes the number of its carriers from the flags of the JVM. */
    @Param("1")
    public int workers;

    private Runner runner;

    @Setup
    public void start() {
        runner = Runner.of(contender, workers);
    }

    @TearDown
    public void stop() {
        runner.close();
    }

    String contender() {
        return contender;
    }

    /** Starts a coroutine. */
    Thread start(Runner.Body body) {
        return runner.start(body);
    }

    /** Runs one coroutine that starts one for each body, and waits for them. JMH's thread waits meanwhile. */
    void together(List<Action> bodies) throws InterruptedException {
        runner.together(bodies);
    }
}
