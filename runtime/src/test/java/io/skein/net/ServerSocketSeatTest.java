package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Setup.OnePerDriver
class ServerSocketSeatTest extends SeatTest {
    ServerSocketSeatTest(Setup setup) {
        super(setup);
    }

    @ParameterizedTest
    @EnumSource
    void aPlainClientIsAccepted(User user) throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST);
                Socket client = new Socket(HOST, listening.getLocalPort())) {
            as(user, () -> {
                try (Socket accepted = listening.accept()) {
                    assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
                    assertThat(accepted.getInetAddress()).isEqualTo(HOST);
                    assertThat(accepted.getLocalPort()).isEqualTo(listening.getLocalPort());
                    send(accepted, "hello");
                }
            });
            assertThat(receive(client, 5)).isEqualTo("hello");
        }
    }

    @Test
    void withoutAnAddressItListensEverywhere() throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0);
                Socket client = new Socket(HOST, listening.getLocalPort());
                Socket accepted = listening.accept()) {
            assertThat(listening.getInetAddress().isAnyLocalAddress()).isTrue();
            send(client, "hello");
            assertThat(receive(accepted, 5)).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAcceptThatTakesTooLongTimesOut(User user) throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            listening.setSoTimeout(10);
            as(
                    user,
                    () -> assertThatExceptionOfType(SocketTimeoutException.class)
                            .isThrownBy(listening::accept));
            assertThat(listening.isClosed()).isFalse();
            assertThat(listening.getSoTimeout()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingWakesTheOneWhoAccepts(User user) throws Exception {
        ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST);
        AtomicReference<Thread> acceptor = new AtomicReference<>();
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread runner = Thread.ofPlatform().start(() -> {
            try {
                as(user, () -> {
                    acceptor.set(Thread.currentThread());
                    listening.accept();
                });
            } catch (Exception e) {
                seen.set(causeOf(e));
            }
        });
        Await.until("it accepts", () -> acceptor.get() != null);
        Await.untilWaiting(acceptor.get());

        listening.close();

        Await.untilEnded("the acceptor", runner);
        assertThat(seen.get()).isInstanceOf(SocketException.class);
    }

    @Test
    void anInterruptedCoroutineFindsItClosed() throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            AtomicReference<Throwable> seen = new AtomicReference<>();
            Coroutine<?> acceptor = skein.spawn(() -> {
                try {
                    listening.accept();
                } catch (IOException e) {
                    seen.set(e);
                }
            });
            Await.untilWaiting(acceptor);

            acceptor.cancel(true);

            acceptor.join();
            assertThat(seen.get()).isInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
            assertThat(listening.isClosed()).isTrue();
        }
    }

    @Test
    void anAddressInUseIsABindException() throws Exception {
        try (ServerSocket first = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> skein.serverSocketFactory().createServerSocket(first.getLocalPort(), 50, HOST))
                    .withMessageContaining("in use");
        }
    }

    @Test
    void optionsAreSetBeforeItIsBound() throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket()) {
            listening.setReuseAddress(false);
            listening.setReceiveBufferSize(30_000);
            assertThat(listening.isBound()).isFalse();
            assertThatExceptionOfType(SocketException.class).isThrownBy(listening::accept);

            listening.bind(new InetSocketAddress(HOST, 0));

            assertThat(listening.getReuseAddress()).isFalse();
            assertThat(listening.getReceiveBufferSize()).isEqualTo(30_000);
            assertThat(listening).asString().contains(Integer.toString(listening.getLocalPort()));
        }
    }

    @Test
    void severalMayAcceptAtOnce() throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            Coroutine<Socket> first = skein.spawn(() -> listening.accept());
            Coroutine<Socket> second = skein.spawn(() -> listening.accept());
            try (Socket one = new Socket(HOST, listening.getLocalPort());
                    Socket two = new Socket(HOST, listening.getLocalPort());
                    Socket here = first.join();
                    Socket there = second.join()) {
                assertThat(here.getPort()).isNotEqualTo(there.getPort());
                assertThat(one.isConnected() && two.isConnected()).isTrue();
            }
        }
    }
}
