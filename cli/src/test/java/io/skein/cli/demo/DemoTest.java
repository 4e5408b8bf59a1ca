package io.skein.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.skein.DriverKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class DemoTest {
    private static final Pattern FIGURES = Pattern.compile("requests/s +[0-9,]+ +[0-9,]+ +[0-9.]+");

    @ParameterizedTest
    @EnumSource(
            value = DriverKind.class,
            names = {"AUTO", "NIO"})
    void endsWithATableOfBothContenders(DriverKind driver) throws Exception {
        String text = "";
        // On a busy machine a short window may pass without an answer.
        for (int millis = 30; millis < 5000 && !FIGURES.matcher(text).find(); millis *= 2) {
            text = demo(driver, Duration.ofMillis(millis));
        }

        assertThat(text.lines().filter(line -> line.startsWith("round "))).hasSize(4);
        assertThat(text).containsPattern(FIGURES);
        assertThat(text).containsPattern("latency p50 +[0-9,]+ µs +[0-9,]+ µs +[0-9.]+");
        assertThat(text).containsPattern("latency p99 +[0-9,]+ µs +[0-9,]+ µs +[0-9.]+");
        assertThat(text).contains("CPU per request", "workers", "driver");
    }

    private static String demo(DriverKind driver, Duration window) throws Exception {
        StringWriter screen = new StringWriter();
        DemoPlan tiny = new DemoPlan(driver, 4, 64, Duration.ofMillis(20), 2, Duration.ofMillis(5), window);
        DemoCommand.run(tiny, new PrintWriter(screen), false);
        return screen.toString();
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
