package io.skein.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CServerTest {
    private static final int PATIENCE_MILLIS = 30_000;

    @ParameterizedTest
    @EnumSource(names = {"C_URING", "C_EPOLL"})
    void echoesToHundredConnectionsWhatEachOfThemSent(Contender contender) throws Exception {
        try (Server server = start(contender, 4096)) {
            List<Socket> connections = new ArrayList<>();
            try {
                for (int i = 0; i < 100; i++) {
                    connections.add(connect(server));
                }
                for (int i = 0; i < 100; i++) {
                    connections.get(i).getOutputStream().write(bytes(i));
                }
                for (int i = 0; i < 100; i++) {
                    assertThat(read(connections.get(i), bytes(i).length)).isEqualTo(bytes(i));
                }
            } finally {
                for (Socket connection : connections) {
                    connection.close();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"C_URING", "C_EPOLL"})
    void keepsTheOrderOfMoreThanItsBuffersHold(Contender contender) throws Exception {
        byte[] much = new byte[2_000_000];
        new Random(1).nextBytes(much);
        try (Server server = start(contender, 100);
                Socket connection = connect(server)) {
            Thread sender = Thread.startVirtualThread(() -> send(connection, much));
            assertThat(read(connection, much.length)).isEqualTo(much);
            sender.join();
            assertThat(connection.getInputStream().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"C_URING", "C_EPOLL"})
    void goesOnWhenAClientBreaksOff(Contender contender) throws Exception {
        try (Server server = start(contender, 100)) {
            try (Socket rude = connect(server)) {
                rude.setSoLinger(true, 0);
                rude.getOutputStream().write(new byte[300_000]);
            }
            try (Socket polite = connect(server)) {
                polite.getOutputStream().write(bytes(7));
                assertThat(read(polite, bytes(7).length)).isEqualTo(bytes(7));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"C_URING", "C_EPOLL"})
    void isAProcessOfItsOwnThatEndsWhenItIsClosed(Contender contender) throws Exception {
        Server server = start(contender, 4096);
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        assertThat(process).isNotEqualTo(ProcessHandle.current());
        server.close();
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void namesTheCompilerThatIsMissing() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> CServer.start("no-such-compiler", new Setting(Service.ECHO, 4096), "epoll_echo.c"))
                .withMessage("no-such-compiler is not installed");
    }

    private static Server start(Contender contender, int bufferSize) throws Exception {
        try {
            return contender.start(Service.ECHO, bufferSize);
        } catch (UnsupportedOperationException unavailable) {
            return Assumptions.abort(String.valueOf(unavailable.getMessage()));
        }
    }

    private static Socket connect(Server server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void send(Socket connection, byte[] bytes) {
        try {
            connection.getOutputStream().write(bytes);
            connection.shutdownOutput();
        } catch (IOException seenByTheReader) {
            return;
        }
    }

    private static byte[] bytes(int seed) {
        byte[] bytes = new byte[1 + 300 * seed];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(Socket connection, int count) throws IOException {
        byte[] bytes = new byte[count];
        new DataInputStream(connection.getInputStream()).readFully(bytes);
        return bytes;
    }
}
