package io.skein.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.DriverKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** curl against the example web server. */
@IntegrationTest.EachDriver
@Timeout(60)
class CurlTest extends WebTest {
    @TempDir
    private Path folder;

    private Path curl;

    CurlTest(DriverKind driver) {
        super(driver);
    }

    @BeforeEach
    void findCurl() {
        curl = Program.assumed("curl");
    }

    /** What curl prints for these arguments. */
    private String curl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                curl.toString(), "--silent", "--show-error", "--http1.1", "--max-time", "30", "--noproxy", "*"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("curl's exit value; it said %s", output)
                .isZero();
        return output;
    }

    @Test
    void aPageIsFetched() throws Exception {
        assertThat(curl("--include", url("/hello")))
                .startsWith("HTTP/1.1 200 OK")
                .contains("Content-Length: 6")
                .endsWith("hello\n");
    }

    @Test
    void severalPagesShareAConnection() throws Exception {
        assertThat(curl("--write-out", "%{num_connects} ", url("/hello"), url("/hello"), url("/count/2")))
                .isEqualTo("hello\n1 hello\n0 1\n2\n0 ");
    }

    @Test
    void aBodyIsSentWithItsLengthAndInChunks() throws Exception {
        Path file = Files.writeString(folder.resolve("body"), "0123456789".repeat(50_000));

        assertThat(curl("--data-binary", "@" + file, url("/echo"))).isEqualTo(Files.readString(file));
        assertThat(curl("--header", "Transfer-Encoding: chunked", "--data-binary", "@" + file, url("/echo")))
                .isEqualTo(Files.readString(file));
    }

    @Test
    void aClientThatAsksFirstIsToldToContinue() throws Exception {
        assertThat(curl("--include", "--header", "Expect: 100-continue", "--data", "body", url("/echo")))
                .startsWith("HTTP/1.1 100 Continue")
                .endsWith("body");
    }

    @Test
    void anAnswerComesInChunks() throws Exception {
        assertThat(curl("--include", url("/count/3")))
                .contains("Transfer-Encoding: chunked")
                .endsWith("1\n2\n3\n");
    }

    @Test
    void aHeadIsAHeadOnly() throws Exception {
        assertThat(curl("--head", url("/hello"))).contains("Content-Length: 6").doesNotContain("hello");
    }

    @Test
    void whatIsMissingWrongOrTooLargeGetsItsStatus() throws Exception {
        assertThat(status(url("/nowhere"))).isEqualTo("404");
        assertThat(status("--header", "Host:", url("/hello"))).isEqualTo("400");
        assertThat(status("--header", "Much: " + "x".repeat(10_000), url("/hello")))
                .isEqualTo("431");
        Path file = Files.write(folder.resolve("large"), new byte[2 << 20]);
        assertThat(status("--header", "Expect:", "--data-binary", "@" + file, url("/echo")))
                .isEqualTo("413");
    }

    private String status(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("--output", "/dev/null", "--write-out", "%{http_code}"));
        all.addAll(List.of(arguments));
        return curl(all.toArray(String[]::new));
    }
}
