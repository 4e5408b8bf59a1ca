package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Setup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

@Setup.Each
class EchoTest extends NetworkTest {
    EchoTest(Setup setup) {
        super(setup);
    }

    @Test
    void aMessageComesBack() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            skein.blockOn(() -> {
                try (TcpStream client = TcpStream.connect(server.address())) {
                    send(client, "hello");

                    assertThat(receive(client, 5)).isEqualTo("hello");
                }
            });
        }
    }

    @Test
    void manyMessagesComeBackInOrder() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            skein.blockOn(() -> {
                try (TcpStream client = TcpStream.connect(server.address())) {
                    for (int i = 0; i < 1000; i++) {
                        String message = "message " + i;
                        send(client, message);
                        assertThat(receive(client, message.length())).isEqualTo(message);
                    }
                }
            });
        }
    }

    @Test
    void aServerServesOneConnectionAfterTheOther() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            skein.blockOn(() -> {
                for (int i = 0; i < 200; i++) {
                    try (TcpStream client = TcpStream.connect(server.address())) {
                        send(client, "hello");
                        assertThat(receive(client, 5)).isEqualTo("hello");
                    }
                }
            });
            assertThat(server.accepted()).isEqualTo(200);
        }
    }

    @Test
    void aPlainSocketIsServed() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK);
                Socket client = new Socket()) {
            client.connect(server.address());
            client.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));

            assertThat(client.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
        }
    }

    @Test
    void aStreamTalksToAPlainServer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                TcpStream client = TcpStream.connect(skein, (InetSocketAddress) server.getLocalSocketAddress());
                Socket accepted = server.accept()) {
            accepted.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));

            assertThat(skein.blockOn(() -> receive(client, 5))).isEqualTo("hello");
        }
    }

    @Test
    void aMessageComesBackOverIpv6() throws Exception {
        assumeIpv6();
        try (EchoServer server = EchoServer.start(skein, IPV6_LOOPBACK)) {
            skein.blockOn(() -> {
                try (TcpStream client = TcpStream.connect(server.address())) {
                    send(client, "hello");

                    assertThat(receive(client, 5)).isEqualTo("hello");
                }
            });
        }
    }

    @Test
    void aHostIsGivenByItsName() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind("localhost", 0);
                    TcpStream client = TcpStream.connect(
                            "localhost", listener.localAddress().getPort());
                    TcpStream server = listener.accept()) {
                send(client, "hello");

                assertThat(receive(server, 5)).isEqualTo("hello");
            }
        });
    }

    @Test
    void aHostIsGivenByItsIpv6Address() throws Exception {
        assumeIpv6();
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind("::1", 0);
                    TcpStream client =
                            TcpStream.connect("::1", listener.localAddress().getPort());
                    TcpStream server = listener.accept()) {
                send(client, "hello");

                assertThat(receive(server, 5)).isEqualTo("hello");
            }
        });
    }

    @Test
    void aListenerOnTheWildcardAddressIsReachedThroughLoopback() throws Exception {
        try (EchoServer server = EchoServer.start(skein, new InetSocketAddress(0));
                SocketChannel client = SocketChannel.open(new InetSocketAddress(
                        LOOPBACK.getAddress(), server.address().getPort()))) {
            client.write(bytes("hello"));
            ByteBuffer answer = ByteBuffer.allocate(5);
            while (answer.hasRemaining()) {
                assertThat(client.read(answer)).isPositive();
            }

            assertThat(answer.flip()).isEqualTo(bytes("hello"));
        }
    }
}
