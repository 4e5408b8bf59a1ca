package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EchoSuiteTest {
    @Test
    void startsItsProcessesMeasuresAndTellsAndEndsThem(@TempDir Path directory) throws Exception {
        StringWriter output = new StringWriter();
        Path json = directory.resolve("echo.json");
        Path html = directory.resolve("echo.html");
        int code = Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .execute(
                        "echo",
                        "--connections=2",
                        "--rounds=1",
                        "--seconds=0.1",
                        "--warmup=0",
                        "--rate=0",
                        "--against=jdk",
                        "--html=" + html,
                        "--json=" + json);
        assertThat(code).isZero();
        assertThat(output.toString()).contains("2 connections\n", "skein over");
        assertThat(Files.readString(json)).contains("\"server\": \"skein\"", "\"server\": \"jdk\"");
        assertThat(Files.readString(html)).contains("Where Skein is behind", "echo of 1 KiB, 2 connections");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}
