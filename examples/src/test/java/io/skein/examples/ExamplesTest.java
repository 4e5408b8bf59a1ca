package io.skein.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every example ends by itself and says what its first sentence promises. */
@Timeout(30)
class ExamplesTest {

    @FunctionalInterface
    private interface Example {
        void main(String[] arguments) throws Exception;
    }

    @Test
    void helloCoroutinesAddsUpSquares() throws Exception {
        assertThat(linesOf(HelloCoroutines::main))
                .containsExactly("10,000 coroutines added the squares up to 333383335000");
    }

    @Test
    void echoServerAnswersItself() throws Exception {
        assertThat(linesOf(EchoServer::main))
                .containsExactly(
                        "client: the server says hello",
                        "client: the server says from",
                        "client: the server says a",
                        "client: the server says coroutine",
                        "server: closed, no more connections");
    }

    @Test
    void tlsEchoAnswersItself() throws Exception {
        assertThat(linesOf(TlsEcho::main))
                .containsExactly(
                        "client: TLSv1.3 with CN=localhost, speaking echo",
                        "client: the server says hello",
                        "server: closed, no more connections");
    }

    @Test
    void webServerAnswersItself() throws Exception {
        assertThat(linesOf(WebServer::main)).containsExactly("client: HTTP/1.1 200 OK");
    }

    @Test
    void cancellationEndsAReadThatWouldWaitForEver() throws Exception {
        assertThat(linesOf(Cancellation::main))
                .containsExactly(
                        "reader: waiting for bytes",
                        "reader: interrupted, cleaning up",
                        "main: the reader was cancelled");
    }

    @Test
    void structuredWorkLeavesNothingRunning() throws Exception {
        assertThat(linesOf(StructuredWork::main))
                .containsExactly(
                        "task: runs when it is first awaited",
                        "main: hello and, from memory, hello",
                        "main: hasty failed: java.lang.IllegalStateException: no such user; the other is CANCELLED",
                        "main: the fast mirror won",
                        "main: squares, two at a time: [1, 4, 9, 16, 25]");
    }

    @Test
    void primesAreEndlessAndLazy() throws Exception {
        assertThat(linesOf(Primes::main)).containsExactly("2 3 5 7 11 13 17 19 23 29 31 37");
    }

    @Test
    void deadlinesEndWhatIsTooSlow() throws Exception {
        assertThat(linesOf(Deadlines::main))
                .containsExactly(
                        "tick 1",
                        "tick 2",
                        "tick 3",
                        "quick: cleaned up",
                        "first: quick",
                        "slow: cleaned up",
                        "second: too late");
    }

    @Test
    void pipelineHandsValuesOnUntilTheyEnd() throws Exception {
        assertThat(linesOf(Pipeline::main))
                .containsExactly("main: the words have 24 letters", "main: heard nothing for 5 ms");
    }

    private static List<String> linesOf(Example example) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            example.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        return captured.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
