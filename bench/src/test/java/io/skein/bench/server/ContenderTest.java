package io.skein.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.bench.load.EchoCheck;
import io.skein.bench.load.HelloCheck;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContenderTest {
    @ParameterizedTest
    @EnumSource
    void echoesByteForByte(Contender contender) throws Exception {
        try (Server server = start(contender, Service.ECHO)) {
            EchoCheck.run(server.port(), 1024);
            assertThat(server.describe()).isNotBlank().doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsLabel(Contender contender) {
        assertThat(Contender.labelled(contender.label())).contains(contender);
    }

    @ParameterizedTest
    @EnumSource(names = {"SKEIN", "JDK", "NETTY_IO_URING", "NETTY_EPOLL", "NETTY_NIO"})
    void sendsByItself(Contender contender) throws Exception {
        try (Server server = start(contender, Service.SOURCE);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            assertThat(client.getInputStream().readNBytes(100_000)).hasSize(100_000);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SKEIN", "JDK", "NETTY_IO_URING", "NETTY_EPOLL", "NETTY_NIO"})
    void echoesDatagrams(Contender contender) throws Exception {
        try (Server server = start(contender, Service.DATAGRAMS);
                DatagramSocket client = new DatagramSocket()) {
            client.setSoTimeout(30_000);
            client.connect(InetAddress.getLoopbackAddress(), server.port());
            client.send(new DatagramPacket(new byte[] {1, 2, 3}, 3));
            DatagramPacket reply = new DatagramPacket(new byte[10], 10);
            client.receive(reply);
            assertThat(Arrays.copyOf(reply.getData(), reply.getLength())).containsExactly(1, 2, 3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SKEIN", "JDK", "NETTY_IO_URING", "NETTY_EPOLL", "NETTY_NIO"})
    void echoesWhatIsEncrypted(Contender contender) throws Exception {
        try (Server server = start(contender, Service.TLS_ECHO)) {
            EchoCheck.runEncrypted(server.port(), 1024);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SKEIN", "JDK", "NETTY_IO_URING", "NETTY_EPOLL", "NETTY_NIO", "VERTX"})
    void answersOverHttp(Contender contender) throws Exception {
        try (Server server = start(contender, Service.HTTP)) {
            HelloCheck.run(server.port(), Service.HELLO);
            HelloCheck.run(server.port(), Service.HELLO);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_SERVER", "HELIDON", "JETTY", "TOMCAT", "SPRING_BOOT"})
    void libraryAnswersInCoroutinesAndOnVirtualThreads(Service library) throws Exception {
        for (Contender contender : List.of(Contender.SKEIN, Contender.JDK)) {
            try (Server server = start(contender, library)) {
                HelloCheck.run(server.port(), Service.HELLO);
                HelloCheck.run(server.port(), Service.HELLO);
                assertThat(server.describe()).isNotBlank().doesNotContain("\n");
            }
        }
    }

    @Test
    void grpcAnswersInCoroutinesAndOnVirtualThreads() throws Exception {
        for (Contender contender : List.of(Contender.SKEIN, Contender.JDK)) {
            try (Server server = start(contender, Service.GRPC)) {
                GrpcHello.check(server.port());
                assertThat(server.describe()).startsWith("grpc-netty-shaded-").doesNotContain("\n");
            }
        }
    }

    @Test
    void othersRunNoLibraries() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> Contender.VERTX.start(Service.JETTY, 4096))
                .withMessageContaining("libraries");
    }

    @ParameterizedTest
    @EnumSource(names = {"SKEIN", "JDK", "JDK_SOCKET", "NETTY_EPOLL", "VERTX", "GO"})
    void echoesWithSeveralWorkersThatCompute(Contender contender) throws Exception {
        try (Server server = start(contender, new Setting(Service.ECHO, 4096, 2, 50))) {
            EchoCheck.run(server.port(), 1024);
        }
    }

    @Test
    void namesTheCompilerThatIsMissing() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> GoServer.start("no-such-go", new Setting(Service.ECHO, 4096)))
                .withMessage("no-such-go is not installed");
    }

    @ParameterizedTest
    @EnumSource(names = {"SKEIN_READ", "JDK_SOCKET", "VERTX", "GO", "C_URING", "C_EPOLL"})
    void saysThatItOnlyEchoes(Contender contender) {
        for (Service service : List.of(Service.SOURCE, Service.DATAGRAMS, Service.TLS_ECHO)) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> contender.start(service, 4096))
                    .withMessageContaining("only echo");
        }
    }

    @Test
    void skeinIsNotItsOwnRival() {
        assertThat(Contender.labels(Contender.rivals()))
                .isEqualTo(
                        "jdk, jdk-socket, netty-io_uring, netty-epoll, netty-nio, vertx, go, c-uring, c-epoll, skein-read");
    }

    private static Server start(Contender contender, Service service) throws Exception {
        return start(contender, new Setting(service, 4096));
    }

    private static Server start(Contender contender, Setting setting) throws Exception {
        try {
            return contender.start(setting);
        } catch (UnsupportedOperationException unavailable) {
            return Assumptions.abort(String.valueOf(unavailable.getMessage()));
        }
    }
}
