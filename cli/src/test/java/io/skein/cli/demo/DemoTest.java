package io.skein.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.skein.DriverKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class DemoTest {

    @ParameterizedTest
    @EnumSource(
            value = DriverKind.class,
            names = {"AUTO", "NIO"})
    void endsWithATableOfBothContenders(DriverKind driver) throws Exception {
        StringWriter screen = new StringWriter();
        DemoPlan tiny =
                new DemoPlan(driver, 4, 64, Duration.ofMillis(20), 2, Duration.ofMillis(5), Duration.ofMillis(30));

        DemoCommand.run(tiny, new PrintWriter(screen), false);

        String text = screen.toString();
        assertThat(text.lines().filter(line -> line.startsWith("round "))).hasSize(4);
        assertThat(text).containsPattern("requests/s +[0-9,]+ +[0-9,]+ +[0-9.]+");
        assertThat(text).containsPattern("latency p50 +[0-9,]+ µs +[0-9,]+ µs +[0-9.]+");
        assertThat(text).containsPattern("latency p99 +[0-9,]+ µs +[0-9,]+ µs +[0-9.]+");
        assertThat(text).contains("CPU per request", "workers", "driver");
    }

    @Test
    void aClientThatCannotConnectEndsTheRoundWithASentence() throws Exception {
        try (Contender contender = new VirtualThreadContender()) {
            Swarm swarm = new Swarm(contender, deserted(contender), 3, 64, new FirstFailure());

            assertThatIOException()
                    .isThrownBy(() -> swarm.measure(Duration.ofMillis(5), Duration.ofMillis(5), answered -> {}))
                    .withMessageStartingWith("JDK virtual threads: a client failed: ");
        }
    }

    /** An address where nobody listens any more. */
    private static InetSocketAddress deserted(Contender contender) throws IOException {
        try (LinkListener listener = contender.listen()) {
            return listener.address();
        }
    }
}
