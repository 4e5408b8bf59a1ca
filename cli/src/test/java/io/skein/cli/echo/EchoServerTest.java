package io.skein.cli.echo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.skein.DriverKind;
import io.skein.Skein;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class EchoServerTest {

    private final ConcurrentLinkedQueue<String> troubles = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @EnumSource(
            value = DriverKind.class,
            names = {"AUTO", "NIO"})
    void sendsBackWhatItReceives(DriverKind driver) throws Exception {
        try (EchoServer server = start(driver);
                Socket client = connect(server)) {
            assertThat(echoOf("hello", client)).isEqualTo("hello");
            assertThat(echoOf("again", client)).isEqualTo("again");
        }
        assertThat(troubles).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = DriverKind.class,
            names = {"AUTO", "NIO"})
    void aConnectionThatBreaksOffHurtsNoOther(DriverKind driver) throws Exception {
        try (EchoServer server = start(driver);
                Socket survivor = connect(server)) {
            for (int i = 0; i < 20; i++) {
                Socket victim = connect(server);
                victim.getOutputStream().write(new byte[1024]);
                victim.setSoLinger(true, 0); // closing now resets the connection
                victim.close();
            }
            assertThat(echoOf("still here", survivor)).isEqualTo("still here");
            try (Socket latecomer = connect(server)) {
                assertThat(echoOf("me too", latecomer)).isEqualTo("me too");
            }
        }
        assertThat(troubles).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = DriverKind.class,
            names = {"AUTO", "NIO"})
    void closesWithConnectionsOpenAndTellsWhatItServed(DriverKind driver) throws Exception {
        EchoServer server = start(driver);
        List<Socket> idle = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            idle.add(connect(server));
            assertThat(echoOf("ping", idle.get(i))).isEqualTo("ping");
        }

        server.close();
        server.awaitEnd(); // the clients stay

        assertThat(server.served()).isEqualTo("served 5 connections (0 broke off), 5 messages, 20 bytes");
        for (Socket socket : idle) {
            assertThat(reachedItsEnd(socket)).isTrue();
            socket.close();
        }
    }

    private EchoServer start(DriverKind driver) throws IOException {
        Skein skein = Skein.builder().driver(driver).workers(2).start();
        return EchoServer.start(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), troubles::add);
    }

    private static Socket connect(EchoServer server) throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static String echoOf(String text, Socket socket) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        return new String(socket.getInputStream().readNBytes(text.length()), US_ASCII);
    }

    /** The server's side is gone: an orderly end or a reset, but not silence. */
    private static boolean reachedItsEnd(Socket socket) {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
