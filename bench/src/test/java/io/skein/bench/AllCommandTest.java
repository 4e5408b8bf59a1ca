package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AllCommandTest {
    @Test
    void everySuiteIsListed() {
        StringWriter output = new StringWriter();
        Main.commandLine().setOut(new PrintWriter(output, true)).execute();
        assertThat(output.toString())
                .containsSubsequence(
                        "echo ",
                        "net ",
                        "scaling ",
                        "libraries ",
                        "scheduler ",
                        "coroutine ",
                        "sync ",
                        "blocking ",
                        "memory ",
                        "all ")
                .doesNotContain("idle  ");
    }

    @Test
    void everySuiteHasTheOptionsThatAllHave() {
        Main.suites()
                .forEach(suite -> assertThat(suite.getCommandSpec().optionsMap())
                        .containsKeys("--quick", "--against", "--json", "--html", "--markdown", "--profile"));
    }

    @Test
    void optionsWithoutASuiteAreForAll() {
        assertThat(Main.withSuite(new String[] {"--quick"})).containsExactly("all", "--quick");
        assertThat(Main.withSuite(new String[] {"--help"})).containsExactly("--help");
        assertThat(Main.withSuite(new String[] {"echo", "--quick"})).containsExactly("echo", "--quick");
        assertThat(Main.withSuite(new String[0])).isEmpty();
    }

    @Test
    void quickTakesLessThanTenMinutes() {
        AllCommand all = new AllCommand();
        all.quick = true;
        assertThat(all.estimate()).isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void inFullTakesLessThanTwoHours() {
        assertThat(new AllCommand().estimate()).isLessThan(Duration.ofHours(2));
    }

    @Test
    void knowsTheRivalsOfEverySuite() {
        AllCommand all = new AllCommand();
        assertThat(all.rivals())
                .contains("jdk", "c-uring", "jox", "kotlin", "netty")
                .doesNotContain("skein");
        assertThat(all.profiles()).contains("skein", "spawn+join");
    }

    @Test
    void refusesARivalOfNoSuite() {
        StringWriter error = new StringWriter();
        int code = Main.commandLine().setErr(new PrintWriter(error, true)).execute("all", "--against=tokio");
        assertThat(code).isEqualTo(2);
        assertThat(error.toString()).contains("'tokio' is no rival; there are jdk");
    }
}
