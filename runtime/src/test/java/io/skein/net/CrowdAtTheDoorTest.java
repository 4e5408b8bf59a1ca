package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Connections that come while nobody accepts: they wait, and nobody is forgotten. */
@Setup.Each
class CrowdAtTheDoorTest extends NetworkTest {
    /** More than a driver accepts before somebody asks. */
    private static final int CROWD = 40;

    CrowdAtTheDoorTest(Setup setup) {
        super(setup);
    }

    /** A listener that somebody has accepted from, so that the kernel has been told to accept. */
    private TcpListener used() throws IOException {
        TcpListener listener = listen();
        try (Socket _ = new Socket(
                        LOOPBACK.getAddress(), listener.localAddress().getPort());
                TcpStream first = listener.accept()) {
            assertThat(first.isOpen()).isTrue();
        }
        return listener;
    }

    private static List<Socket> crowd(TcpListener listener) throws IOException {
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(new Socket(LOOPBACK.getAddress(), listener.localAddress().getPort()));
        }
        return crowd;
    }

    private static void closeAll(List<Socket> crowd) throws IOException {
        for (Socket one : crowd) {
            one.close();
        }
    }

    @Test
    void everyoneIsAcceptedInTheEnd() throws Exception {
        try (TcpListener listener = used()) {
            List<Socket> crowd = crowd(listener);
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < CROWD; i++) {
                try (TcpStream accepted = listener.accept()) {
                    ports.add(accepted.remoteAddress().getPort());
                }
            }
            assertThat(ports)
                    .containsExactlyInAnyOrderElementsOf(
                            crowd.stream().map(Socket::getLocalPort).toList());
            closeAll(crowd);
        }
    }

    @Test
    void whoWasBroughtWhileNobodyWaitedIsServedByWhoComesNext() throws Exception {
        try (TcpListener listener = used()) {
            for (int round = 0; round < 20; round++) {
                listener.acceptTimeout(Duration.ofNanos(1));
                assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(listener::accept);
                listener.acceptTimeout(null);
                try (Socket client = new Socket(
                                LOOPBACK.getAddress(), listener.localAddress().getPort());
                        TcpStream accepted = listener.accept()) {
                    assertThat(accepted.remoteAddress().getPort()).isEqualTo(client.getLocalPort());
                }
            }
        }
    }

    @Test
    void aCloseTurnsAwayWhoWaits() throws Exception {
        TcpListener listener = used();
        List<Socket> crowd = crowd(listener);
        listener.close();
        for (Socket one : crowd) {
            assertThat(isTurnedAway(one)).isTrue();
        }
        closeAll(crowd);
    }

    @Test
    void theEndOfTheRuntimeTurnsAwayWhoWaits() throws Exception {
        List<Socket> crowd = crowd(used());
        skein.close();
        for (Socket one : crowd) {
            assertThat(isTurnedAway(one)).isTrue();
        }
        closeAll(crowd);
    }

    private static boolean isTurnedAway(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void anAcceptOfAnotherCoroutineGetsThemToo() throws Exception {
        try (TcpListener listener = used()) {
            List<Socket> crowd = crowd(listener);
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < CROWD; i++) { // each begins on some worker, which need not be the listener's home
                Coroutine<Integer> acceptor = skein.spawn("acceptor", () -> {
                    try (TcpStream accepted = listener.accept()) {
                        return accepted.remoteAddress().getPort();
                    }
                });
                ports.add(acceptor.join());
            }
            assertThat(ports).hasSize(CROWD);
            closeAll(crowd);
        }
    }
}
