package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The harness would notice. */
class SlownessTest {
    private static final String PROPERTY = "skein.bench.slow";

    @AfterEach
    void hurryAgain() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void aServerThatIsSlowedOnPurposeIsReportedAsSlower() {
        // Microseconds of computing before each reply: more than a busy machine keeps the other server waiting.
        System.setProperty(PROPERTY, "50000");
        StringWriter output = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .execute(
                        "echo",
                        "--connections=2",
                        "--size=64",
                        "--rounds=1",
                        "--seconds=1",
                        "--warmup=0",
                        "--rate=0",
                        "--against=jdk");
        assertThat(code).isZero();
        assertThat(output.toString().lines())
                .filteredOn(line -> line.startsWith("jdk") && line.contains("BEHIND"))
                .hasSize(1);
        assertThat(output.toString()).contains("-D" + PROPERTY, "Of 3 comparisons Skein is behind in 3");
    }
}
