package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the JDK documents of its sockets: each test is made with those of the JDK, and with Skein's. */
@Setup.OnePerDriver
class DocumentedSocketTest extends SeatTest {
    private static final int MORE_THAN_FITS = 16 << 20;

    DocumentedSocketTest(Setup setup) {
        super(setup);
    }

    /** Whose sockets. */
    enum Maker {
        JDK,
        SKEIN
    }

    private Socket socket(Maker maker) throws IOException {
        return maker == Maker.JDK ? new Socket() : skein.socketFactory().createSocket();
    }

    private ServerSocket serverSocket(Maker maker) throws IOException {
        return maker == Maker.JDK
                ? new ServerSocket()
                : skein.serverSocketFactory().createServerSocket();
    }

    private SocketChannel channel(Maker maker) throws IOException {
        return maker == Maker.JDK ? SocketChannel.open() : skein.openSocketChannel();
    }

    /** A connection; its peer is an ordinary socket of the JDK that takes in little. */
    private Ends connected(Maker maker) throws IOException {
        try (ServerSocket listening = narrowListener()) {
            Socket client = socket(maker);
            client.connect(listening.getLocalSocketAddress());
            return new Ends(client, listening.accept());
        }
    }

    private static ServerSocket narrowListener() throws IOException {
        ServerSocket listening = new ServerSocket();
        listening.setReceiveBufferSize(4096);
        listening.bind(new InetSocketAddress(HOST, 0));
        return listening;
    }

    @ParameterizedTest
    @EnumSource
    void afterACloseTheLocalAddressIsTheWildcardAndThePortStays(Maker maker) throws Exception {
        try (Ends ends = connected(maker)) {
            Socket socket = ends.client();
            int port = socket.getLocalPort();
            assertThat(socket.getLocalAddress()).isEqualTo(HOST);
            InetAddress remote = socket.getInetAddress();

            socket.close();

            InetAddress wildcard = new InetSocketAddress(0).getAddress();
            assertThat(socket.getLocalAddress()).isEqualTo(wildcard);
            assertThat(socket.getLocalSocketAddress()).isEqualTo(new InetSocketAddress(wildcard, port));
            assertThat(socket.getInetAddress()).isEqualTo(remote);
            assertThat(socket.isConnected() && socket.isBound()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerSocketKeepsItsAddress(Maker maker) throws Exception {
        ServerSocket listening = serverSocket(maker);
        listening.bind(new InetSocketAddress(HOST, 0));
        InetSocketAddress before = addressOf(listening);
        listening.close();
        assertThat(listening.getInetAddress()).isEqualTo(HOST);
        assertThat(listening.getLocalSocketAddress()).isEqualTo(before);
    }

    private static void expectClosed(InputStream in) {
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(in::available)
                .withMessageContaining("closed");
        assertThatExceptionOfType(SocketException.class).isThrownBy(in::read).withMessageContaining("closed");
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> in.read(new byte[3], 1, 1))
                .withMessageContaining("closed");
    }

    @ParameterizedTest
    @EnumSource
    void afterACloseNothingIsReadNorAvailable(Maker maker) throws Exception {
        try (Ends ends = connected(maker)) {
            InputStream in = ends.client().getInputStream();
            OutputStream out = ends.client().getOutputStream();
            send(ends.server(), "hello");
            Await.until("it arrives", () -> in.available() == 5);

            ends.client().close();

            expectClosed(in);
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> out.write(1))
                    .withMessageContaining("closed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void soItIsWhenTheInputWasShutDownBefore(Maker maker) throws Exception {
        try (Ends ends = connected(maker)) {
            InputStream in = ends.client().getInputStream();
            ends.client().shutdownInput();
            assertThat(in.available()).isZero();

            ends.client().close();

            expectClosed(in);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEndThatWasReadIsReadAfterACloseTooAndNothingIsAvailable(Maker maker) throws Exception {
        try (Ends ends = connected(maker)) {
            InputStream in = ends.client().getInputStream();
            ends.server().shutdownOutput();
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.available()).isZero();

            ends.client().close();

            assertThat(in.read()).isEqualTo(-1);
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(in::available)
                    .withMessageContaining("closed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void urgentDataIsNotReceivedUnlessAskedFor(Maker maker) throws Exception {
        try (Ends ends = connected(maker);
                Socket fresh = socket(maker)) {
            Socket socket = ends.client();
            assertThat(fresh.getOOBInline()).isFalse();
            fresh.setOOBInline(true);
            assertThat(fresh.getOOBInline()).isTrue();
            assertThat(socket.getOOBInline()).isFalse();
            socket.setOOBInline(false);

            ends.server().sendUrgentData('!');
            send(ends.server(), "hello");
            assertThat(receive(socket, 5)).isEqualTo("hello");

            socket.setOOBInline(true);
            assertThat(socket.getOOBInline()).isTrue();
            ends.server().sendUrgentData('!');
            assertThat(receive(socket, 1)).isEqualTo("!");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOptionsThatThereAreAreTheJdks(Maker maker) throws Exception {
        try (Ends ends = connected(maker);
                Socket fresh = socket(maker);
                SocketChannel channel = channel(maker);
                ServerSocket listening = serverSocket(maker)) {
            for (Set<SocketOption<?>> options : List.of(
                    ends.client().supportedOptions(),
                    fresh.supportedOptions(),
                    channel.supportedOptions(),
                    listening.supportedOptions())) {
                assertThat(options)
                        .contains(
                                ExtendedSocketOptions.TCP_KEEPIDLE,
                                ExtendedSocketOptions.TCP_KEEPINTERVAL,
                                ExtendedSocketOptions.TCP_KEEPCOUNT,
                                ExtendedSocketOptions.TCP_QUICKACK,
                                StandardSocketOptions.IP_TOS,
                                StandardSocketOptions.SO_RCVBUF);
            }
            for (Socket socket : new Socket[] {ends.client(), fresh}) {
                socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 70);
                assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(70);
                socket.setOption(ExtendedSocketOptions.TCP_QUICKACK, false);
                assertThat(socket.getOption(ExtendedSocketOptions.TCP_QUICKACK)).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerSocketHandsItsTrafficClassAndItsKeepAliveOn(Maker maker) throws Exception {
        try (ServerSocket listening = serverSocket(maker)) {
            assertThat(listening.getOption(StandardSocketOptions.IP_TOS)).isZero();
            listening.setOption(StandardSocketOptions.IP_TOS, 8);
            listening.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 7);
            listening.bind(new InetSocketAddress(HOST, 0));
            assertThat(listening.getOption(StandardSocketOptions.IP_TOS)).isEqualTo(8);
            try (Socket client = new Socket(HOST, listening.getLocalPort());
                    Socket accepted = listening.accept()) {
                assertThat(client.isConnected()).isTrue();
                assertThat(accepted.getTrafficClass()).isEqualTo(8);
                assertThat(accepted.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL))
                        .isEqualTo(7);
                listening.setOption(StandardSocketOptions.IP_TOS, 16);
                assertThat(listening.getOption(StandardSocketOptions.IP_TOS)).isEqualTo(16);
            }
        }
    }

    /** A user who waits in a call, and how that ended. */
    private final class Waiting {
        private final AtomicReference<Thread> user = new AtomicReference<>();
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private final Thread runner;

        Waiting(User kind, Body body) {
            runner = Thread.ofPlatform().start(() -> {
                try {
                    as(kind, () -> {
                        user.set(Thread.currentThread());
                        body.run();
                    });
                } catch (Exception e) {
                    failure.set(e);
                }
            });
            Await.until("it has begun", () -> user.get() != null);
            Await.untilWaiting(user.get());
        }

        Throwable failure() {
            Await.untilEnded("the writer", runner);
            return causeOf(failure.get());
        }
    }

    @Test
    void shuttingTheOutputDownReturnsAndTheWriterGetsABrokenPipe() throws Exception {
        for (User user : User.values()) {
            expectBrokenPipe(Maker.SKEIN, user);
        }
        expectBrokenPipe(Maker.JDK, User.VIRTUAL_THREAD); // one of a platform thread does not show as waiting
    }

    private void expectBrokenPipe(Maker maker, User user) throws Exception {
        try (Ends ends = connected(maker)) {
            OutputStream out = ends.client().getOutputStream();
            Waiting writer = new Waiting(user, () -> out.write(new byte[MORE_THAN_FITS]));

            ends.client().shutdownOutput();

            assertThat(writer.failure())
                    .isInstanceOf(SocketException.class)
                    .message()
                    .endsWithIgnoringCase("broken pipe");
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> out.write(1))
                    .satisfies(e -> assertThat(e.getMessage()).endsWithIgnoringCase("broken pipe"));
            assertThat(ends.client().isOutputShutdown()).isTrue();
            assertThat(ends.client().isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aChannelsWriterIsToldThatItsOutputWasClosedMeanwhile(Maker maker) throws Exception {
        try (ServerSocket listening = narrowListener();
                SocketChannel channel = channel(maker)) {
            channel.connect(listening.getLocalSocketAddress());
            try (Socket peer = listening.accept()) {
                Waiting writer = new Waiting(User.VIRTUAL_THREAD, () -> {
                    while (true) { // the JDK's writes a part at a time
                        channel.write(ByteBuffer.allocate(MORE_THAN_FITS));
                    }
                });

                channel.shutdownOutput();

                assertThat(writer.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
                assertThatExceptionOfType(ClosedChannelException.class)
                        .isThrownBy(() -> channel.write(ByteBuffer.allocate(1)));
                assertThat(channel.isOpen()).isTrue();
                send(peer, "still");
                assertThat(channel.read(ByteBuffer.allocate(5))).isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aChannelLeavesNamesToItsCaller(Maker maker) throws Exception {
        try (SocketChannel channel = channel(maker)) {
            InetSocketAddress unresolved = InetSocketAddress.createUnresolved("localhost", 80);
            assertThatExceptionOfType(UnresolvedAddressException.class).isThrownBy(() -> channel.connect(unresolved));
            assertThatExceptionOfType(UnresolvedAddressException.class).isThrownBy(() -> channel.bind(unresolved));
            assertThat(channel.isOpen()).isTrue();
        }
    }
}
