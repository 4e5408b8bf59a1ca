package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The channel for libraries, beside a plain socket of the JDK. */
@Setup.OnePerDriver
class SocketChannelSeatTest extends SeatTest {
    SocketChannelSeatTest(Setup setup) {
        super(setup);
    }

    /** A channel of the runtime's and its peer. */
    private record Linked(SocketChannel channel, Socket peer) implements AutoCloseable {
        String receive(int length) throws IOException {
            ByteBuffer target = ByteBuffer.allocate(length);
            while (target.hasRemaining() && channel.read(target) >= 0) {}
            return StandardCharsets.UTF_8.decode(target.flip()).toString();
        }

        @Override
        public void close() throws IOException {
            channel.close();
            peer.close();
        }
    }

    private Linked linked() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 50, HOST)) {
            SocketChannel channel = skein.openSocketChannel();
            assertThat(channel.connect(listening.getLocalSocketAddress())).isTrue();
            return new Linked(channel, listening.accept());
        }
    }

    /** What a user meets who waits in a call, once something is done to it meanwhile. */
    private Throwable failureOf(User user, Body waiting, Consumer<Thread> meanwhile) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread runner = Thread.ofPlatform().start(() -> {
            try {
                as(user, () -> {
                    thread.set(Thread.currentThread());
                    try {
                        waiting.run();
                    } catch (IOException e) {
                        seen.set(e);
                        Thread.interrupted();
                    }
                });
            } catch (Exception e) {
                seen.set(e);
            }
        });
        Await.until("it has begun", () -> thread.get() != null);
        Await.untilWaiting(thread.get());
        meanwhile.accept(thread.get());
        Await.untilEnded("the user", runner);
        return seen.get();
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void bytesGoBothWaysWhoeverSendsThem(User user) throws Exception {
        as(user, () -> {
            try (Linked linked = linked()) {
                assertThat(linked.channel().write(bytes("hello"))).isEqualTo(5);
                assertThat(receive(linked.peer(), 5)).isEqualTo("hello");
                send(linked.peer(), "world");
                assertThat(linked.receive(5)).isEqualTo("world");
                linked.peer().shutdownOutput();
                assertThat(linked.channel().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(linked.channel().read(ByteBuffer.allocateDirect(1))).isEqualTo(-1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void severalBuffersAreGatheredAndScattered(User user) throws Exception {
        as(user, () -> {
            try (Linked linked = linked()) {
                ByteBuffer[] sources = {bytes("not me"), bytes("hel"), bytes("lo"), bytes("nor me")};
                assertThat(linked.channel().write(sources, 1, 2)).isEqualTo(5);
                assertThat(receive(linked.peer(), 5)).isEqualTo("hello");
                assertThat(sources[0].remaining()).isEqualTo(6);

                send(linked.peer(), "hello");
                ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocateDirect(2), ByteBuffer.allocate(9)};
                for (long read = 0; read < 5; read += linked.channel().read(targets)) {}
                assertThat(targets[0].hasRemaining()).isFalse();
                assertThat(targets[1].hasRemaining()).isFalse();
                assertThat(targets[2].get(0)).isEqualTo((byte) 'o');
            }
        });
    }

    @Test
    void streamsAndReadersOfTheJdkWorkOnIt() throws Exception {
        skein.blockOn(() -> {
            try (Linked linked = linked();
                    InputStream in = Channels.newInputStream(linked.channel());
                    OutputStream out = Channels.newOutputStream(linked.channel())) {
                out.write("hello".getBytes(StandardCharsets.UTF_8));
                assertThat(receive(linked.peer(), 5)).isEqualTo("hello");
                send(linked.peer(), "world");
                linked.peer().shutdownOutput();
                assertThat(in.readAllBytes()).hasSize(5);
            }
        });
    }

    @Test
    void oneReadsWhileAnotherWritesMoreThanTheKernelHolds() throws Exception {
        int length = 8 << 20;
        try (Linked linked = linked()) {
            Coroutine<String> reader = skein.spawn(() -> linked.receive(5));
            Await.untilWaiting(reader);
            Coroutine<Integer> writer = skein.spawn(() -> linked.channel().write(ByteBuffer.allocate(length)));
            assertThat(linked.peer().getInputStream().readNBytes(length)).hasSize(length);
            assertThat(writer.join()).isEqualTo(length);
            send(linked.peer(), "hello");
            assertThat(reader.join()).isEqualTo("hello");
        }
    }

    @Test
    void beforeItIsConnectedItSaysSo() throws Exception {
        try (SocketChannel channel = skein.openSocketChannel()) {
            assertThat(channel.isConnected()).isFalse();
            assertThat(channel.isConnectionPending()).isFalse();
            assertThat(channel.getLocalAddress()).isNull();
            assertThat(channel.getRemoteAddress()).isNull();
            assertThatExceptionOfType(NotYetConnectedException.class)
                    .isThrownBy(() -> channel.read(ByteBuffer.allocate(1)));
            assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(() -> channel.write(bytes("x")));
            assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(channel::shutdownOutput);
            assertThatExceptionOfType(NoConnectionPendingException.class).isThrownBy(channel::finishConnect);
            assertThatExceptionOfType(UnsupportedAddressTypeException.class)
                    .isThrownBy(() -> channel.connect(UnixDomainSocketAddress.of("/nowhere")));
            assertThat(channel.isOpen()).isTrue();
        }
    }

    @Test
    void onceItIsConnectedItIsNotConnectedAgain() throws Exception {
        try (Linked linked = linked()) {
            SocketChannel channel = linked.channel();
            assertThat(channel.isConnected()).isTrue();
            assertThat(channel.finishConnect()).isTrue();
            assertThat(channel.getRemoteAddress()).isEqualTo(linked.peer().getLocalSocketAddress());
            assertThat(channel.getLocalAddress()).isEqualTo(linked.peer().getRemoteSocketAddress());
            assertThatExceptionOfType(AlreadyConnectedException.class)
                    .isThrownBy(() -> channel.connect(linked.peer().getLocalSocketAddress()));
            assertThatExceptionOfType(AlreadyBoundException.class).isThrownBy(() -> channel.bind(null));
        }
    }

    @Test
    void itConnectsFromWhereItIsBound() throws Exception {
        InetAddress mine = InetAddress.ofLiteral("127.0.0.3");
        try (ServerSocket listening = new ServerSocket(0, 50, HOST);
                SocketChannel channel = skein.openSocketChannel()) {
            channel.bind(new InetSocketAddress(mine, 0)).connect(listening.getLocalSocketAddress());
            try (Socket peer = listening.accept()) {
                assertThat(peer.getInetAddress()).isEqualTo(mine);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCloseByAnotherThreadEndsARead(User user) throws Exception {
        try (Linked linked = linked()) {
            SocketChannel channel = linked.channel();

            Throwable failure = failureOf(user, () -> channel.read(ByteBuffer.allocate(1)), _ -> closeQuietly(channel));

            assertThat(failure).isExactlyInstanceOf(AsynchronousCloseException.class);
            assertThatExceptionOfType(ClosedChannelException.class)
                    .isThrownBy(() -> channel.read(ByteBuffer.allocate(1)));
            assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(channel::getLocalAddress);
            assertThat(channel.socket().isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptClosesItOnEveryKindOfThread(User user) throws Exception {
        try (Linked linked = linked()) {
            Throwable failure = failureOf(user, () -> linked.channel().read(ByteBuffer.allocate(1)), Thread::interrupt);

            assertThat(failure).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(linked.channel().isOpen()).isFalse();
            assertThat(linked.peer().getInputStream().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoeverIsInterruptedBeforehandClosesItAndStaysInterrupted(User user) throws Exception {
        try (Linked linked = linked()) {
            as(user, () -> {
                Thread.currentThread().interrupt();
                assertThatExceptionOfType(ClosedByInterruptException.class)
                        .isThrownBy(() -> linked.channel().write(bytes("x")));
                assertThat(Thread.interrupted()).isTrue();
            });
            assertThat(linked.channel().isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedConnectionClosesIt(User user) throws Exception {
        InetSocketAddress nobody = lastingAddress();
        as(user, () -> {
            SocketChannel channel = skein.openSocketChannel();
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> channel.connect(nobody));
            assertThat(channel.isOpen()).isFalse();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aCloseAndAnInterruptEndAConnect(User user) throws Exception {
        try (FullBacklog full = FullBacklog.open()) {
            SocketChannel first = skein.openSocketChannel();
            assertThat(failureOf(user, () -> first.connect(full.address()), _ -> {
                        assertThat(first.isConnectionPending()).isTrue();
                        assertThatExceptionOfType(ConnectionPendingException.class)
                                .isThrownBy(() -> first.connect(full.address()));
                        closeQuietly(first);
                    }))
                    .isExactlyInstanceOf(AsynchronousCloseException.class);

            SocketChannel second = skein.openSocketChannel();
            assertThat(failureOf(user, () -> second.connect(full.address()), Thread::interrupt))
                    .isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(second.isOpen()).isFalse();
        }
    }

    @Test
    void eachDirectionCanBeShutDown() throws Exception {
        try (Linked linked = linked()) {
            linked.channel().shutdownOutput().shutdownOutput();
            assertThat(linked.peer().getInputStream().read()).isEqualTo(-1);
            assertThatExceptionOfType(ClosedChannelException.class)
                    .isThrownBy(() -> linked.channel().write(bytes("x")));
            send(linked.peer(), "still");
            assertThat(linked.receive(5)).isEqualTo("still");

            linked.channel().shutdownInput().shutdownInput();
            assertThat(linked.channel().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(linked.channel().isOpen()).isTrue();
        }
    }

    @Test
    void optionsHoldBeforeAndAfterTheConnection() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, HOST);
                SocketChannel channel = skein.openSocketChannel()) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.connect(listening.getLocalSocketAddress());
            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, false);
            assertThat(channel.socket().getKeepAlive()).isFalse();
            assertThat(channel.supportedOptions()).contains(StandardSocketOptions.TCP_NODELAY);
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
        }
    }

    @Test
    void itAlwaysBlocksAndSelectorsDoNotTakeIt() throws Exception {
        try (SocketChannel channel = skein.openSocketChannel();
                Selector selector = Selector.open()) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> channel.configureBlocking(false))
                    .withMessageContaining("always blocks");
            assertThat(channel.configureBlocking(true).isBlocking()).isTrue();
            assertThatExceptionOfType(IllegalBlockingModeException.class)
                    .isThrownBy(() -> channel.register(selector, SelectionKey.OP_READ));
        }
    }

    @Test
    void itsSocketIsTheSameConnection() throws Exception {
        try (Linked linked = linked()) {
            Socket socket = linked.channel().socket();
            assertThat(socket.getChannel()).isSameAs(linked.channel());
            send(socket, "hello");
            assertThat(receive(linked.peer(), 5)).isEqualTo("hello");
            socket.setSoTimeout(1);
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> socket.getInputStream().read());
            send(linked.peer(), "world");
            assertThat(linked.receive(5)).isEqualTo("world");

            socket.close();

            assertThat(linked.channel().isOpen()).isFalse();
            assertThat(linked.peer().getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aTimeoutOfTheSocketIsNotTheChannels() throws Exception {
        try (Linked linked = linked();
                Linked other = linked()) {
            linked.channel().socket().setSoTimeout(1);
            Coroutine<String> reader = skein.spawn(() -> linked.receive(5));
            Await.untilWaiting(reader);
            other.channel().socket().setSoTimeout(5);
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> other.channel().socket().getInputStream().read());

            send(linked.peer(), "hello"); // the reader would have given up by now

            assertThat(reader.join()).isEqualTo("hello");
        }
    }
}
