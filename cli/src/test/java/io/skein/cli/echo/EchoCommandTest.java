package io.skein.cli.echo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class EchoCommandTest {

    private static final int SIGINT = 2;

    @ParameterizedTest
    @CsvSource({"TERM, auto, 143", "INT, auto, 130", "TERM, nio, 143"})
    void aSignalEndsItWhateverIsOpen(String signal, String driver, int exitCode) throws Exception {
        assumeFalse(signal.equals("INT") && interruptIsIgnored(), "SIGINT is ignored here, as in a background job");
        try (EchoProcess echo = EchoProcess.start("--driver", driver);
                Socket first = echo.connect();
                Socket second = echo.connect()) {
            assertThat(echoOf("hello", first)).isEqualTo("hello");
            assertThat(echoOf("world", second)).isEqualTo("world");

            echo.signal(signal);

            assertThat(first.getInputStream().read()).isEqualTo(-1);
            assertThat(second.getInputStream().read()).isEqualTo(-1);
            assertThat(echo.lastLines())
                    .containsExactly("stopped: served 2 connections (0 broke off), 2 messages, 10 bytes");
            assertThat(echo.exitCode()).isEqualTo(exitCode);
        }
    }

    @Test
    void theGreetingNamesDriverAndWorkers() throws Exception {
        try (EchoProcess echo = EchoProcess.start("--driver", "nio", "--workers", "3", "--host", "localhost")) {
            assertThat(echo.driver()).isEqualTo("nio");
            assertThat(echo.workers()).isEqualTo(3);
        }
    }

    /** A shell starts background jobs so, and every child inherits it: then SIGINT ends nobody. */
    private static boolean interruptIsIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        String ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElse("0");
        return (Long.parseUnsignedLong(ignored, 16) & (1L << (SIGINT - 1))) != 0;
    }

    private static String echoOf(String text, Socket socket) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        return new String(socket.getInputStream().readNBytes(text.length()), US_ASCII);
    }
}
