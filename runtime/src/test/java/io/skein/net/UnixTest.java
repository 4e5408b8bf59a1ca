package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Setup;
import io.skein.Skein;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Setup.OnePerDriver
class UnixTest extends NetworkTest {
    @TempDir
    Path folder;

    UnixTest(Setup setup) {
        super(setup);
    }

    private Path path() {
        return folder.resolve("socket");
    }

    static void expectEcho(UnixStream client, UnixStream server) throws IOException {
        client.write(bytes("hello"));
        ByteBuffer target = ByteBuffer.allocate(5);
        server.readFully(target);
        server.write(target.flip());
        target.clear();
        client.readFully(target);
        assertThat(target.flip()).isEqualTo(bytes("hello"));
    }

    @Test
    void aFullBacklogKeepsWhoConnectsWaitingForSoLongOrRefusesIt() throws Exception {
        boolean waits = setup.driver() == DriverKind.URING; // the JDK does not
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path());
        try (ServerSocketChannel _ =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address, 1)) {
            skein.blockOn(() -> {
                List<UnixStream> connected = new ArrayList<>();
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> {
                            while (connected.size() < 100) { // the kernel takes one or two more than it was told
                                connected.add(UnixStream.connect(path(), Duration.ofMillis(20)));
                            }
                        })
                        .isInstanceOf(waits ? SocketTimeoutException.class : SocketException.class)
                        .withMessageContaining("connect")
                        .withMessageContaining(waits ? "20 ms" : "temporarily unavailable");
                connected.forEach(UnixStream::close);
            });
        }
    }

    @Test
    void aTimeoutThatDoesNotPassChangesNothing() throws Exception {
        try (UnixListener listener = UnixListener.bind(skein, path());
                UnixStream client = UnixStream.connect(skein, path(), Duration.ofSeconds(30));
                UnixStream server = listener.accept()) {
            expectEcho(client, server);
        }
    }

    @Test
    void aPathConnectsTwoStreams() throws Exception {
        skein.blockOn(() -> {
            try (UnixListener listener = UnixListener.bind(path());
                    UnixStream client = UnixStream.connect(path());
                    UnixStream server = listener.accept()) {
                expectEcho(client, server);
                assertThat(listener.localAddress()).isEqualTo(UnixDomainSocketAddress.of(path()));
                assertThat(client.remoteAddress()).isEqualTo(UnixDomainSocketAddress.of(path()));
                assertThat(server.localAddress()).isEqualTo(UnixDomainSocketAddress.of(path()));
                assertThat(client.localAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
                assertThat(listener).asString().contains(path().toString());
                assertThat(client).asString().contains(path().toString());
            }
        });
    }

    @Test
    void anyThreadMayUseThem() throws Exception {
        try (UnixListener listener = UnixListener.bind(skein, path());
                UnixStream client = UnixStream.connect(skein, path());
                UnixStream server = listener.accept()) {
            expectEcho(client, server);
        }
    }

    @Test
    void aChannelOfTheJdkConnects() throws Exception {
        try (UnixListener listener = UnixListener.bind(skein, path());
                SocketChannel peer = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            peer.connect(UnixDomainSocketAddress.of(path()));
            try (UnixStream server = listener.accept()) {
                server.write(bytes("hello"));
                ByteBuffer target = ByteBuffer.allocate(5);
                while (target.hasRemaining()) {
                    peer.read(target);
                }
                assertThat(target.flip()).isEqualTo(bytes("hello"));
            }
        }
    }

    @Test
    void aPathThatIsThereIsNotBound() throws Exception {
        UnixListener.bind(skein, path()).close();

        assertThatExceptionOfType(BindException.class)
                .isThrownBy(() -> UnixListener.bind(skein, path()))
                .withMessageStartingWith("bind " + path() + ": address already in use");
    }

    @Test
    void aPathWhereNobodyListensRefuses() throws Exception {
        UnixListener.bind(skein, path()).close();

        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> UnixStream.connect(skein, path()))
                .withMessageStartingWith("connect " + path() + ": connection refused");
    }

    @Test
    void aPathThatIsNotThereIsToldByName() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> UnixStream.connect(skein, path()))
                .withMessageStartingWith("connect " + path() + ": no such file or directory");
    }

    @Test
    void aNameThatIsTooLongIsToldByName() {
        Path tooLong = folder.resolve("x".repeat(120));
        if (skein.driver() == DriverKind.URING) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> UnixListener.bind(skein, tooLong))
                    .withMessageContaining(tooLong.toString());
        } else {
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> UnixListener.bind(skein, tooLong))
                    .withMessageContaining(tooLong.toString());
        }
    }

    @Test
    void timeoutsAndHalfClosesWorkHereToo() throws Exception {
        try (UnixListener listener = UnixListener.bind(skein, path());
                UnixStream client = UnixStream.connect(skein, path());
                UnixStream server = listener.accept()) {
            server.readTimeout(Duration.ofMillis(5));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> server.read(ByteBuffer.allocate(1)))
                    .withMessageContaining("timed out after 5 ms");
            client.shutdownOutput();
            assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            listener.acceptTimeout(Duration.ofMillis(5));
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(listener::accept);
        }
    }

    @Test
    void closeWakesWhoReadsAndWhoAccepts() throws Exception {
        UnixListener listener = UnixListener.bind(skein, path());
        expectCloseToWake(skein, listener, UnixStream.connect(skein, path()));
    }

    /** Closes both while somebody reads and somebody accepts. */
    static void expectCloseToWake(Skein skein, UnixListener listener, UnixStream client) throws Exception {
        try (UnixStream server = listener.accept()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> client.read(ByteBuffer.allocate(1)))
                        .withMessageContaining("closed by another thread");
            });
            Coroutine<?> acceptor = skein.spawn("acceptor", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(listener::accept)
                        .withMessageContaining("closed by another thread");
            });
            Await.untilWaiting(reader);
            Await.untilWaiting(acceptor);

            client.close();
            listener.close();

            reader.join();
            acceptor.join();
            assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void theyHaveNoOptionsOfTcp() throws Exception {
        try (UnixListener listener = UnixListener.bind(skein, path());
                UnixStream client = UnixStream.connect(skein, path())) {
            client.setOption(StandardSocketOptions.SO_SNDBUF, 20_000);
            assertThat(client.getOption(StandardSocketOptions.SO_SNDBUF)).isEqualTo(20_000);
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> client.setOption(StandardSocketOptions.TCP_NODELAY, true));
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> client.setOption(SocketOptions.TCP_USER_TIMEOUT, 12_000))
                    .withMessageContaining("no option TCP_USER_TIMEOUT");
            assertThat(listener.supportedOptions()).doesNotContain(StandardSocketOptions.TCP_NODELAY);
        }
    }
}
