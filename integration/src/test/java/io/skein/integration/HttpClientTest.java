package io.skein.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.DriverKind;
import io.skein.Tasks;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JDK's own HTTP client, and bare sockets where a client would not be so rude, against the example web server. */
@IntegrationTest.EachDriver
@Timeout(60)
class HttpClientTest extends WebTest {
    private HttpClient client;

    HttpClientTest(DriverKind driver) {
        super(driver);
    }

    @BeforeEach
    void openClient() {
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(LONG)
                .build();
    }

    @AfterEach
    void closeClient() {
        client.shutdownNow();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(url(path))).timeout(LONG);
    }

    @Test
    void twoHundredRequestsAtOnceAreAnswered() throws Exception {
        int sum = skein.blockOn(() -> Tasks.parallel(
                IntStream.range(0, 200).boxed().toList(),
                20,
                number -> {
                    HttpResponse<String> answer = client.send(
                            to("/echo")
                                    .POST(BodyPublishers.ofString("" + number))
                                    .build(),
                            BodyHandlers.ofString());
                    return Integer.parseInt(answer.body());
                },
                0,
                Integer::sum));

        assertThat(sum).isEqualTo(199 * 100);
    }

    @Test
    void requestsOneAfterTheOtherShareAConnection() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(client.send(to("/hello").build(), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("hello\n");
        }
        assertThat(server().connections()).isEqualTo(1);
    }

    @Test
    void aBodyIsSentBackWholeWhetherItsLengthIsKnownOrNot() throws Exception {
        byte[] body = new byte[300_000];
        new Random(7).nextBytes(body);

        HttpResponse<byte[]> known =
                client.send(to("/echo").POST(BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofByteArray());
        HttpResponse<byte[]> chunked = client.send(
                to("/echo")
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                        .build(),
                BodyHandlers.ofByteArray());

        assertThat(known.body()).isEqualTo(body);
        assertThat(chunked.body()).isEqualTo(body);
    }

    @Test
    void anAnswerComesInChunks() throws Exception {
        HttpResponse<String> answer = client.send(to("/count/1000").build(), BodyHandlers.ofString());

        assertThat(answer.headers().firstValue("transfer-encoding")).hasValue("chunked");
        assertThat(answer.body())
                .isEqualTo(
                        IntStream.rangeClosed(1, 1000).mapToObj(n -> n + "\n").collect(Collectors.joining()));
    }

    @Test
    void aHeadHasNoBodyAndTheConnectionGoesOn() throws Exception {
        HttpResponse<String> head = client.send(to("/hello").HEAD().build(), BodyHandlers.ofString());

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("content-length")).hasValue("6");
        assertThat(head.body()).isEmpty();
        assertThat(client.send(to("/hello").build(), BodyHandlers.ofString()).body())
                .isEqualTo("hello\n");
        assertThat(server().connections()).isEqualTo(1);
    }

    @Test
    void whatThereIsNotIsNotFound() throws Exception {
        assertThat(client.send(to("/nowhere").build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(404);
        assertThat(client.send(to("/hello").DELETE().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        HttpResponse<String> answer = client.send(
                to("/echo").POST(BodyPublishers.ofByteArray(new byte[2 << 20])).build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | nonsense~~",
                "400 | GET /hello HTTP/1.1~~",
                "400 | GET /hello HTTP/1.1~Host: x~no colon~~",
                "400 | GET /hello HTTP/1.1~Host : x~~",
                "400 | POST /echo HTTP/1.1~Host: x~Content-Length: -1~~",
                "400 | POST /echo HTTP/1.1~Host: x~Content-Length: 1~Transfer-Encoding: chunked~~",
                "400 | POST /echo HTTP/1.1~Host: x~Transfer-Encoding: chunked~~what?~~",
                "400 | POST /echo HTTP/1.1~Host: x~Transfer-Encoding: chunked~~1~ab~0~~",
                "413 | POST /echo HTTP/1.1~Host: x~Content-Length: 99999999999~~",
                "501 | POST /echo HTTP/1.1~Host: x~Transfer-Encoding: gzip~~",
                "505 | GET /hello HTTP/2.0~Host: x~~"
            })
    void aRequestThatIsWrongIsRefusedWithTheStatusThatSaysSo(int status, String request) throws Exception {
        try (Socket socket = new Socket(ServerProcess.HOST, port())) {
            socket.getOutputStream().write(request.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("Connection: close");
        }
    }

    @Test
    void aHeadWithoutEndIsCutOff() throws Exception {
        try (Socket socket = new Socket(ServerProcess.HOST, port())) {
            socket.getOutputStream()
                    .write(("GET /hello HTTP/1.1\r\nHost: " + "x".repeat(20_000)).getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answer).startsWith("HTTP/1.1 431 ");
        }
    }

    @Test
    void requestsThatAreSentTogetherAreAnsweredInTurn() throws Exception {
        try (Socket socket = new Socket(ServerProcess.HOST, port())) {
            String one = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\none";
            String last = "GET /hello HTTP/1.0\r\n\r\n";
            socket.getOutputStream().write((one + one + last).getBytes(StandardCharsets.US_ASCII));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answer.split("HTTP/1.1 200 OK", -1)).hasSize(4);
            assertThat(answer).contains("\r\n\r\noneHTTP").endsWith("hello\n");
        }
    }

    @Test
    void aServerThatShutsDownFinishesTheAnswerItHasBegun() throws Exception {
        try (Socket socket = new Socket(ServerProcess.HOST, port())) {
            socket.getOutputStream()
                    .write("GET /count/100000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] first = socket.getInputStream().readNBytes(1);
            server().stop();

            byte[] rest = socket.getInputStream().readAllBytes();

            assertThat(first).containsExactly('H');
            assertThat(new String(rest, StandardCharsets.US_ASCII))
                    .contains("100000\n")
                    .endsWith("0\r\n\r\n");
            assertThat(server().shutdown(LONG)).isTrue();
        }
    }
}
