package io.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class OptionErrorTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            frobnicate            | skein: unknown command 'frobnicate'; see skein --help
            doctr                 | skein: unknown command 'doctr' (did you mean 'doctor'?); see skein --help
            --frob                | skein: unknown option '--frob'; see skein --help
            demo 7                | skein demo: unexpected argument '7'; see skein demo --help
            demo --frob           | skein demo: unknown option '--frob'; see skein demo --help
            doctor --yaml         | skein doctor: unknown option '--yaml'; see skein doctor --help
            echo --hosts a        | skein echo: unknown option '--hosts' (did you mean '--host'?); see skein echo --help
            echo --port           | skein echo: missing required parameter for option '--port' (PORT); see skein echo --help
            echo --port x         | skein echo: invalid value for option '--port': 'x' is not a port (0 to 65535); see skein echo --help
            echo --port 65536     | skein echo: invalid value for option '--port': '65536' is not a port (0 to 65535); see skein echo --help
            echo --port -1        | skein echo: invalid value for option '--port': '-1' is not a port (0 to 65535); see skein echo --help
            echo --workers 0      | skein echo: invalid value for option '--workers': '0' is not a number of workers (1 to 1024); see skein echo --help
            echo --workers -3     | skein echo: invalid value for option '--workers': '-3' is not a number of workers (1 to 1024); see skein echo --help
            echo --driver epoll   | skein echo: invalid value for option '--driver': 'epoll' is not a driver (auto, uring or nio); see skein echo --help
            """)
    void aWrongOptionGetsOneSentenceAndExitCodeTwo(String arguments, String sentence) {
        int exitCode = execute(arguments.split(" ", -1));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString().lines()).containsExactly(sentence);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anEmptyHostIsRefused() {
        assertThat(execute("echo", "--host", "")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("skein echo: invalid value for option '--host': it is empty; see skein echo --help");
    }

    @Test
    void aPortInUseGetsOneSentenceAndExitCodeOne() throws Exception {
        try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = occupied.getLocalPort();

            assertThat(execute("echo", "--port", Integer.toString(port))).isEqualTo(1);

            assertThat(err.toString().lines())
                    .singleElement(STRING)
                    .startsWith("skein echo: bind 127.0.0.1:" + port + ": address already in use");
            assertThat(out.toString()).isEmpty();
        }
    }

    @Test
    void anUnknownHostGetsOneSentenceAndExitCodeOne() {
        assertThat(execute("echo", "--host", "nowhere.invalid")).isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly("skein echo: unknown host nowhere.invalid");
    }

    @Test
    void helpListsTheCommands() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("demo", "echo", "doctor");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void noCommandAtAllShowsTheHelp() {
        assertThat(execute()).isZero();
        assertThat(out.toString()).startsWith("Usage: skein");
    }

    @ParameterizedTest
    @CsvSource({"demo", "echo", "doctor"})
    void eachCommandHasItsOwnHelp(String command) {
        assertThat(execute(command, "--help")).isZero();
        assertThat(out.toString()).startsWith("Usage: skein " + command);
    }

    private int execute(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
