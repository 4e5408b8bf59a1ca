package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Setup.OnePerDriver
class SocketSeatTest extends SeatTest {
    SocketSeatTest(Setup setup) {
        super(setup);
    }

    @ParameterizedTest
    @EnumSource
    void bytesGoBothWaysWhoeverSendsThem(User user) throws Exception {
        as(user, () -> {
            try (Ends ends = ends()) {
                send(ends.client(), "hello");
                assertThat(receive(ends.server(), 5)).isEqualTo("hello");
                ends.server().getOutputStream().write(200);
                assertThat(ends.client().getInputStream().read()).isEqualTo(200);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aMegabyteArrivesUnchanged(User user) throws Exception {
        byte[] bytes = new byte[1 << 20];
        new Random(7).nextBytes(bytes);
        as(user, () -> {
            try (Ends ends = ends()) {
                Coroutine<?> sender = skein.spawn(() -> {
                    ends.client().getOutputStream().write(bytes);
                    ends.client().shutdownOutput();
                });
                assertThat(ends.server().getInputStream().readAllBytes()).isEqualTo(bytes);
                sender.join();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aReadThatTakesTooLongTimesOutAndLosesNothing(User user) throws Exception {
        as(user, () -> {
            try (Ends ends = ends()) {
                ends.client().setSoTimeout(10);
                assertThatExceptionOfType(SocketTimeoutException.class)
                        .isThrownBy(() -> ends.client().getInputStream().read());
                send(ends.server(), "late");
                ends.client().setSoTimeout(0);
                assertThat(receive(ends.client(), 4)).isEqualTo("late");
                assertThat(ends.client().getSoTimeout()).isZero();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSocketThatIsClosedByAnotherThreadWakesItsReader(User user) throws Exception {
        try (Ends ends = ends()) {
            AtomicReference<Thread> reader = new AtomicReference<>();
            AtomicReference<Throwable> seen = new AtomicReference<>();
            Thread runner = Thread.ofPlatform().start(() -> {
                try {
                    as(user, () -> {
                        reader.set(Thread.currentThread());
                        ends.client().getInputStream().read();
                    });
                } catch (Exception e) {
                    seen.set(causeOf(e));
                }
            });
            Await.until("it reads", () -> reader.get() != null);
            Await.untilWaiting(reader.get());

            ends.client().close();

            Await.untilEnded("the reader", runner);
            assertThat(seen.get()).isInstanceOf(SocketException.class).hasMessageContaining("closed");
        }
    }

    @Test
    void anInterruptedCoroutineFindsTheSocketClosedAsAVirtualThreadDoes() throws Exception {
        try (Ends ends = ends()) {
            AtomicReference<Throwable> seen = new AtomicReference<>();
            Coroutine<Boolean> reader = skein.spawn(() -> {
                try {
                    ends.client().getInputStream().read();
                } catch (IOException e) {
                    seen.set(e);
                }
                return Thread.currentThread().isInterrupted();
            });
            Await.untilWaiting(reader);

            reader.cancel(true);

            assertThat(reader.join()).isTrue();
            assertThat(seen.get()).isInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
            assertThat(ends.client().isClosed()).isTrue();
        }
    }

    @Test
    void anInterruptedPlatformThreadReadsOnAndStaysInterrupted() throws Exception {
        try (Ends ends = ends()) {
            AtomicReference<String> seen = new AtomicReference<>();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    seen.set(receive(ends.client(), 5) + " "
                            + Thread.currentThread().isInterrupted());
                } catch (IOException e) {
                    seen.set(e.toString());
                }
            });
            Await.untilWaiting(reader);

            reader.interrupt();
            send(ends.server(), "hello");

            Await.untilEnded("the reader", reader);
            assertThat(seen).hasValue("hello true");
        }
    }

    @Test
    void theEndOfTheStreamIsReadAgainAndAgain() throws Exception {
        try (Ends ends = ends()) {
            send(ends.server(), "x");
            ends.server().shutdownOutput();
            assertThat(ends.client().getInputStream().readAllBytes()).hasSize(1);
            assertThat(ends.client().getInputStream().read()).isEqualTo(-1);
            assertThat(ends.client().getInputStream().available()).isZero();

            send(ends.client(), "still open"); // the other way
            assertThat(receive(ends.server(), 10)).isEqualTo("still open");
            assertThat(ends.server().isOutputShutdown()).isTrue();
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> ends.server().getOutputStream());
        }
    }

    @Test
    void aSocketWhoseInputIsShutDownReadsTheEnd() throws Exception {
        try (Ends ends = ends()) {
            var in = ends.client().getInputStream();
            Coroutine<Integer> reader = skein.spawn(() -> in.read());
            Await.untilWaiting(reader);

            ends.client().shutdownInput();

            assertThat(reader.join()).isEqualTo(-1);
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.available()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void availableTellsOfWhatHasArrivedAndKeepsIt(User user) throws Exception {
        as(user, () -> {
            try (Ends ends = ends()) {
                var in = ends.client().getInputStream();
                assertThat(in.available()).isZero();
                send(ends.server(), "hello");
                Await.until("it arrives", () -> in.available() == 5);
                assertThat(in.read()).isEqualTo('h');
                assertThat(in.available()).isEqualTo(4);
                send(ends.server(), "!");
                assertThat(receive(ends.client(), 5)).isEqualTo("ello!");
            }
        });
    }

    @Test
    void twoThreadsMayReadAndWriteOneSocketInTurn() throws Exception {
        try (Ends ends = ends()) {
            Coroutine<Integer> first =
                    skein.spawn(() -> ends.client().getInputStream().read());
            Coroutine<Integer> second =
                    skein.spawn(() -> ends.client().getInputStream().read());
            Await.untilWaiting(first);
            Await.untilWaiting(second);
            ends.server().getOutputStream().write(new byte[] {1, 2});

            assertThat(first.join() + second.join()).isEqualTo(3);
        }
    }

    @Test
    void lingerOfZeroEndsTheConnectionWithAReset() throws Exception {
        try (Ends ends = endsWithPlainServer()) {
            ends.client().setSoLinger(true, 0);
            assertThat(ends.client().getSoLinger()).isZero();
            ends.client().close();

            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> ends.server().getInputStream().read())
                    .withMessageContaining("reset");
        }
    }

    @ParameterizedTest
    @EnumSource
    void optionsHoldBeforeAndAfterTheConnection(User user) throws Exception {
        as(user, () -> {
            try (ServerSocket listening = new ServerSocket(0, 50, HOST);
                    Socket socket = skein.socketFactory().createSocket()) {
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(false);
                socket.setSoLinger(true, 7);
                socket.setReceiveBufferSize(20_000);
                socket.setReuseAddress(true);
                assertThat(socket.getKeepAlive()).isTrue();
                assertThat(socket.getReceiveBufferSize()).isEqualTo(20_000);
                assertThat(socket.getSendBufferSize()).isPositive();

                socket.connect(listening.getLocalSocketAddress());

                assertThat(socket.getKeepAlive()).isTrue();
                assertThat(socket.getTcpNoDelay()).isFalse();
                assertThat(socket.getSoLinger()).isEqualTo(7);
                assertThat(socket.getReuseAddress()).isTrue();
                assertThat(socket.getReceiveBufferSize()).isPositive();
                socket.setSoLinger(false, 0);
                assertThat(socket.getSoLinger()).isEqualTo(-1);
                socket.setTrafficClass(8);
                assertThat(socket.getTrafficClass()).isEqualTo(8);
                socket.setOption(StandardSocketOptions.SO_KEEPALIVE, false);
                assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isFalse();
                assertThat(socket.supportedOptions()).contains(StandardSocketOptions.TCP_NODELAY);
                listening.accept().close();
            }
        });
    }

    @Test
    void anOptionThatThereIsNotIsRefused() throws Exception {
        try (Socket socket = skein.socketFactory().createSocket()) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> socket.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> socket.sendUrgentData(1));
        }
    }

    @Test
    void aSocketCanConnectFromAnAddressOfItsOwn() throws Exception {
        InetAddress mine = InetAddress.ofLiteral("127.0.0.3");
        try (ServerSocket listening = new ServerSocket(0, 50, HOST);
                Socket socket = skein.socketFactory().createSocket(HOST, listening.getLocalPort(), mine, 0);
                Socket accepted = listening.accept()) {
            assertThat(accepted.getInetAddress()).isEqualTo(mine);
            assertThat(socket.getLocalAddress()).isEqualTo(mine);
            assertThat(socket.getLocalPort()).isEqualTo(accepted.getPort()).isPositive();
            assertThat(socket.getRemoteSocketAddress()).isEqualTo(listening.getLocalSocketAddress());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedConnectionClosesTheSocket(User user) throws Exception {
        InetSocketAddress nobody = lastingAddress();
        as(user, () -> {
            Socket socket = skein.socketFactory().createSocket();
            assertThatExceptionOfType(ConnectException.class)
                    .isThrownBy(() -> socket.connect(nobody, 10_000))
                    .withMessageContaining("refused");
            assertThat(socket.isClosed()).isTrue();
        });
    }

    @Test
    void aNameIsLookedUpByTheSocket() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(UnknownHostException.class)
                    .isThrownBy(() -> skein.socketFactory().createSocket("no-such-host.invalid", 80))
                    .withMessageContaining("no-such-host.invalid");
            try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST);
                    Socket socket = skein.socketFactory().createSocket("localhost", listening.getLocalPort());
                    Socket accepted = listening.accept()) {
                send(socket, "hello");
                assertThat(receive(accepted, 5)).isEqualTo("hello");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void connectingToNobodyWhoAnswersTimesOut(User user) throws Exception {
        try (FullBacklog full = FullBacklog.open()) {
            as(user, () -> {
                Socket socket = skein.socketFactory().createSocket();
                assertThatExceptionOfType(SocketTimeoutException.class)
                        .isThrownBy(() -> socket.connect(full.address(), 50));
                assertThat(socket.isClosed()).isTrue();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSocketThatIsClosedWhileItConnectsGivesUp(User user) throws Exception {
        try (FullBacklog full = FullBacklog.open()) {
            Socket socket = skein.socketFactory().createSocket();
            AtomicReference<Thread> connector = new AtomicReference<>();
            AtomicReference<Throwable> seen = new AtomicReference<>();
            Thread runner = Thread.ofPlatform().start(() -> {
                try {
                    as(user, () -> {
                        connector.set(Thread.currentThread());
                        socket.connect(full.address());
                    });
                } catch (Exception e) {
                    seen.set(causeOf(e));
                }
            });
            Await.until("it connects", () -> connector.get() != null);
            Await.untilWaiting(connector.get());

            socket.close();

            Await.untilEnded("the connector", runner);
            assertThat(seen.get()).isInstanceOf(SocketException.class).hasMessageContaining("closed");
        }
    }

    @Test
    void anInterruptedCoroutineFindsTheSocketThatItConnectsClosed() throws Exception {
        try (FullBacklog full = FullBacklog.open()) {
            Socket socket = skein.socketFactory().createSocket();
            AtomicReference<Throwable> seen = new AtomicReference<>();
            Coroutine<Boolean> connector = skein.spawn(() -> {
                try {
                    socket.connect(full.address());
                } catch (IOException e) {
                    seen.set(e);
                }
                return Thread.currentThread().isInterrupted();
            });
            Await.untilWaiting(connector);

            connector.cancel(true);

            assertThat(connector.join()).isTrue();
            assertThat(seen.get()).isInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @Test
    void afterTheRuntimeIsClosedASocketSaysSo() throws Exception {
        Socket socket = skein.socketFactory().createSocket();
        closeWithinBound(skein);

        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> socket.connect(new InetSocketAddress(HOST, 1)))
                .withMessageContaining("the runtime is closed");
    }

    @Test
    void theFactoryByNameGivesSkeinsSocketsToCoroutinesAndPlainOnesToOthers() throws Exception {
        SkeinSocketFactory factory = new SkeinSocketFactory();
        try (ServerSocket listening = new ServerSocket(0, 50, HOST);
                Socket plain = factory.createSocket()) {
            assertThat(plain.getClass()).isEqualTo(Socket.class);
            skein.blockOn(() -> {
                try (Socket ours = factory.createSocket("127.0.0.1", listening.getLocalPort());
                        Socket accepted = listening.accept()) {
                    assertThat(ours.getClass()).isNotEqualTo(Socket.class);
                    send(ours, "hello");
                    assertThat(receive(accepted, 5)).isEqualTo("hello");
                }
            });
        }
    }
}
