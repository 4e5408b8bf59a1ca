package io.skein.bench;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The memory that a server's process holds for a connection that does nothing: used heap after a collection and resident
 * memory beside the heap, with many of them less that with none, over how many there are. The heap is resident as a whole
 * from the start, so nothing counts twice. What the kernel holds for a socket is the same for all, and not counted.
 *
 * <p>Server and client are processes of their own, which the JVM of this benchmark starts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start()
public class IdleConnections {
    private static final int BUFFER_SIZE = 4096;

    /** Opened and closed before, so that code is compiled and pools are filled. */
    private static final int WARM_UP = 2_000;

    private static final int WARM_UPS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(50);

    /** For the server: enough for the connections, and for the buffers beside the heap, whose limit follows from it. */
    private static final List<String> ROOM = List.of("-Xms1g", "-Xmx1g");

    @Param({"skein", "jdk", "netty-io_uring"})
    public String contender;

    @Param("10000")
    public int idle;

    private RunningServer server;

    /** What the benchmark reports beside its time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Memory {
        public double bytes;
    }

    @Setup(Level.Trial)
    public void start() throws BenchException {
        Contender wanted = Contender.labelled(contender).orElseThrow();
        List<String> flags = new ArrayList<>(wanted.jvmFlags(1));
        flags.addAll(ROOM);
        server = RunningServer.start(wanted, new Setting(Service.ECHO, BUFFER_SIZE), List.of(), flags);
        hold(Math.min(idle, WARM_UP), WARM_UPS).close();
    }

    @Benchmark
    public void idle(Memory memory) throws BenchException {
        long before = server.memory();
        try (ChildJvm _ = hold(idle, 1)) {
            memory.bytes = (double) (server.memory() - before) / idle;
        }
    }

    private ChildJvm hold(int count, int times) throws BenchException {
        List<String> arguments =
                List.of("idle", Integer.toString(server.port()), Integer.toString(count), Integer.toString(times));
        ChildJvm client = ChildJvm.start("the idle client", List.of(), List.of(), arguments);
        try {
            client.receive(PATIENCE);
            return client;
        } catch (BenchException failure) {
            client.close();
            throw failure;
        }
    }

    @TearDown(Level.Trial)
    public void stop() {
        server.close();
    }
}
