package io.skein.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

    private final StringWriter screen = new StringWriter();

    @Test
    void aTerminalSeesOneLineDrawnOver() {
        ProgressLine progress = new ProgressLine(new PrintWriter(screen), true);

        progress.update("round 10");
        progress.step("done");
        progress.end();

        assertThat(screen).hasToString("\rround 10\rdone    \r    \r");
    }

    @Test
    void aFileSeesOneLinePerStep() {
        ProgressLine progress = new ProgressLine(new PrintWriter(screen), false);

        progress.update("round 1: 10");
        progress.update("round 1: 20");
        progress.step("round 1: 30");
        progress.end();

        assertThat(screen.toString().lines()).containsExactly("round 1: 30", "");
    }
}
