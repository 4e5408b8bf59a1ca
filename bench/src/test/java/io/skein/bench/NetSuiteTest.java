package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class NetSuiteTest {
    @Test
    void aContenderThatDoesNotDoItIsNamedAndTheOthersAreMeasured() {
        StringWriter output = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .execute(
                        "net",
                        "--rounds=1",
                        "--seconds=0.1",
                        "--warmup=0",
                        "--case=datagrams",
                        "--against=jdk,jdk-socket");
        assertThat(code).isZero();
        assertThat(output.toString())
                .contains("jdk-socket, datagrams is left out", "datagrams of 128 B, 100 connections", "packet/s");
    }
}
