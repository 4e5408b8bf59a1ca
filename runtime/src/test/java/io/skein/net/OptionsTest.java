package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.DriverKind;
import io.skein.Setup;
import io.skein.internal.loom.ChannelDescriptors;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

@Setup.OnePerDriver
class OptionsTest extends NetworkTest {
    OptionsTest(Setup setup) {
        super(setup);
    }

    @Test
    void socketsOfAllKindsKnowWhetherTheyAreOpen() throws Exception {
        Pair pair = pair();
        for (NetworkSocket socket : List.of(listen(), pair.client(), pair.server(), UdpSocket.bind(skein, LOOPBACK))) {
            assertThat(socket.isOpen()).isTrue();
            socket.close();
            assertThat(socket.isOpen()).isFalse();
        }
    }

    @Test
    void streamsSendWithoutDelayUnlessTold() throws Exception {
        try (Pair pair = pair()) {
            for (TcpStream stream : new TcpStream[] {pair.client(), pair.server()}) {
                assertThat(stream.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
                stream.setOption(StandardSocketOptions.TCP_NODELAY, false);
                assertThat(stream.getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
            }
        }
    }

    @Test
    void whatIsSetIsTold() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                expectKept(pair.client(), StandardSocketOptions.SO_KEEPALIVE, true);
                expectKept(pair.client(), StandardSocketOptions.SO_KEEPALIVE, false);
                expectKept(pair.client(), StandardSocketOptions.SO_LINGER, 3);
                expectKept(pair.client(), StandardSocketOptions.SO_LINGER, -1);
                expectKept(pair.client(), StandardSocketOptions.SO_RCVBUF, 20_000);
                expectKept(pair.client(), StandardSocketOptions.SO_SNDBUF, 20_000);
                expectKept(pair.client(), SocketOptions.TCP_KEEPIDLE, 70);
                expectKept(pair.client(), SocketOptions.TCP_KEEPINTVL, 7);
                expectKept(pair.client(), SocketOptions.TCP_KEEPCNT, 3);
            });
        }
    }

    private static <T> void expectKept(TcpStream stream, SocketOption<T> option, T value) throws IOException {
        assertThat(stream.supportedOptions()).contains(option);
        stream.setOption(option, value);
        assertThat(stream.getOption(option)).as(option.name()).isEqualTo(value);
    }

    @Test
    void theUserTimeoutIsThereOrTheRefusalNamesTheFlag() throws Exception {
        try (Pair pair = pair()) {
            if (hasUserTimeout()) {
                expectKept(pair.client(), SocketOptions.TCP_USER_TIMEOUT, 12_000);
                expectKept(pair.client(), SocketOptions.TCP_USER_TIMEOUT, 0);
                assertThat(pair.server().getOption(SocketOptions.TCP_USER_TIMEOUT))
                        .as("the peer's own")
                        .isZero();
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> pair.client().setOption(SocketOptions.TCP_USER_TIMEOUT, -1))
                        .withMessageContaining("TCP_USER_TIMEOUT: -1");
            } else {
                assertThat(pair.client().supportedOptions()).doesNotContain(SocketOptions.TCP_USER_TIMEOUT);
                assertThatExceptionOfType(UnsupportedOperationException.class)
                        .isThrownBy(() -> pair.client().setOption(SocketOptions.TCP_USER_TIMEOUT, 12_000))
                        .withMessageContaining("TCP_USER_TIMEOUT")
                        .withMessageContaining("--add-opens=java.base/java.lang=");
            }
        }
    }

    private boolean hasUserTimeout() {
        return skein.driver() == DriverKind.URING || ChannelDescriptors.available();
    }

    @Test
    void aListenerHandsItsUserTimeoutOnAndAClientMayHaveItFromTheStart() throws Exception {
        assumeTrue(hasUserTimeout(), "nio has no user timeout without " + ChannelDescriptors.missing());
        try (TcpListener listener = listen()) {
            assertThat(listener.supportedOptions()).contains(SocketOptions.TCP_USER_TIMEOUT);
            listener.setOption(SocketOptions.TCP_USER_TIMEOUT, 11_000);
            try (TcpStream client = TcpStream.builder()
                            .option(SocketOptions.TCP_USER_TIMEOUT, 12_000)
                            .connect(skein, listener.localAddress());
                    TcpStream server = listener.accept()) {
                assertThat(client.getOption(SocketOptions.TCP_USER_TIMEOUT)).isEqualTo(12_000);
                assertThat(server.getOption(SocketOptions.TCP_USER_TIMEOUT)).isEqualTo(11_000);
            }
        }
    }

    @Test
    void datagramsHaveNoUserTimeout() throws Exception {
        try (UdpSocket socket = UdpSocket.bind(skein, LOOPBACK)) {
            assertThat(socket.supportedOptions()).doesNotContain(SocketOptions.TCP_USER_TIMEOUT);
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> socket.setOption(SocketOptions.TCP_USER_TIMEOUT, 12_000))
                    .withMessageContaining("no option TCP_USER_TIMEOUT");
        }
    }

    @Test
    void aClosedStreamHasNoUserTimeout() throws Exception {
        assumeTrue(hasUserTimeout(), "nio has no user timeout without " + ChannelDescriptors.missing());
        Pair pair = pair();
        pair.close();

        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> pair.client().setOption(SocketOptions.TCP_USER_TIMEOUT, 12_000))
                .withMessageContaining("closed");
    }

    @Test
    void anOptionOfAnotherKindOfSocketIsRefused() throws Exception {
        try (Pair pair = pair();
                TcpListener listener = listen()) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> pair.client().setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1))
                    .withMessageContaining("IP_MULTICAST_TTL");
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> listener.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
        }
    }

    @Test
    void aClosedStreamHasNoOptions() throws Exception {
        Pair pair = pair();
        pair.close();

        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> pair.client().setOption(StandardSocketOptions.TCP_NODELAY, true))
                .withMessageContaining("closed");
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> pair.client().getOption(StandardSocketOptions.TCP_NODELAY))
                .withMessageContaining("closed");
    }

    @Test
    void aListenerHandsItsReceiveBufferOn() throws Exception {
        try (TcpListener listener = TcpListener.builder().receiveBuffer(30_000).bind(skein, LOOPBACK);
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TcpStream server = listener.accept()) {
            assertThat(client.remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(server.getOption(StandardSocketOptions.SO_RCVBUF)).isEqualTo(30_000);
        }
    }

    @Test
    void aListenerHandsItsTrafficClassOnHoweverItGotIt() throws Exception {
        try (TcpListener listener =
                TcpListener.builder().option(StandardSocketOptions.IP_TOS, 8).bind(skein, new InetSocketAddress(0))) {
            expectTrafficClass(listener, 8);
            listener.setOption(StandardSocketOptions.IP_TOS, 16);
            expectTrafficClass(listener, 16);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> listener.setOption(StandardSocketOptions.IP_TOS, 256))
                    .withMessageContaining("IP_TOS: 256");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpListener.builder()
                        .option(StandardSocketOptions.IP_TOS, -1)
                        .bind(skein, LOOPBACK));
    }

    @Test
    void aClosedListenerHasNoTrafficClass() throws Exception {
        TcpListener listener = listen();
        listener.close();
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> listener.setOption(StandardSocketOptions.IP_TOS, 8))
                .withMessageContaining("closed");
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> listener.getOption(StandardSocketOptions.IP_TOS))
                .withMessageContaining("closed");
    }

    private void expectTrafficClass(TcpListener listener, int value) throws IOException {
        assertThat(listener.supportedOptions()).contains(StandardSocketOptions.IP_TOS);
        assertThat(listener.getOption(StandardSocketOptions.IP_TOS)).isEqualTo(value);
        InetSocketAddress here = new InetSocketAddress(
                LOOPBACK.getAddress(), listener.localAddress().getPort());
        try (TcpStream client = TcpStream.connect(skein, here);
                TcpStream server = listener.accept()) {
            assertThat(client.getOption(StandardSocketOptions.IP_TOS)).isZero();
            assertThat(server.getOption(StandardSocketOptions.IP_TOS)).isEqualTo(value);
        }
    }

    @Test
    void optionsOfTheJdkAreThereBesideTheSameOfSkein() throws Exception {
        try (Pair pair = pair();
                TcpListener listener = listen()) {
            for (NetworkSocket socket : List.of(pair.client(), pair.server(), listener)) {
                assertThat(socket.supportedOptions())
                        .contains(
                                SocketOptions.TCP_KEEPIDLE,
                                SocketOptions.TCP_KEEPINTVL,
                                SocketOptions.TCP_KEEPCNT,
                                SocketOptions.TCP_QUICKACK,
                                ExtendedSocketOptions.TCP_KEEPIDLE,
                                ExtendedSocketOptions.TCP_KEEPINTERVAL,
                                ExtendedSocketOptions.TCP_KEEPCOUNT,
                                ExtendedSocketOptions.TCP_QUICKACK);
                socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 4);
                assertThat(socket.getOption(SocketOptions.TCP_KEEPCNT)).isEqualTo(4);
                socket.setOption(ExtendedSocketOptions.TCP_QUICKACK, false);
                assertThat(socket.getOption(SocketOptions.TCP_QUICKACK)).isFalse();
                socket.setOption(SocketOptions.TCP_QUICKACK, true);
                assertThat(socket.getOption(ExtendedSocketOptions.TCP_QUICKACK)).isTrue();
            }
        }
        try (UdpSocket socket = UdpSocket.bind(skein, LOOPBACK)) {
            assertThat(socket.supportedOptions())
                    .doesNotContain(SocketOptions.TCP_KEEPIDLE, ExtendedSocketOptions.TCP_KEEPIDLE);
        }
    }

    @Test
    void listenersThatShareAPortAreBothBound() throws Exception {
        try (TcpListener first = TcpListener.builder().reusePort(true).bind(skein, LOOPBACK)) {
            try (TcpListener second = TcpListener.builder().reusePort(true).bind(skein, first.localAddress())) {
                assertThat(second.localAddress()).isEqualTo(first.localAddress());
            }
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> TcpListener.bind(skein, first.localAddress()));
        }
    }

    @Test
    void anOptionThatIsSetBeforeConnectingIsThere() throws Exception {
        try (TcpListener listener = listen();
                TcpStream client = TcpStream.builder()
                        .option(StandardSocketOptions.SO_KEEPALIVE, true)
                        .option(StandardSocketOptions.TCP_NODELAY, false)
                        .connect(skein, listener.localAddress())) {
            assertThat(client.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assertThat(client.getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
        }
    }

    @Test
    void aClientMayChooseWhereItConnectsFrom() throws Exception {
        InetSocketAddress from = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0);
        try (TcpListener listener = listen();
                TcpStream client = TcpStream.builder().localAddress(from).connect(skein, listener.localAddress());
                TcpStream server = listener.accept()) {
            assertThat(client.localAddress().getAddress()).isEqualTo(from.getAddress());
            assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        }
    }

    @Test
    void aLocalAddressOfAnotherMachineIsABindException() throws Exception {
        InetSocketAddress from = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 0);
        try (TcpListener listener = listen()) {
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> TcpStream.builder().localAddress(from).connect(skein, listener.localAddress()))
                    .withMessageStartingWith("bind 198.51.100.1:0: ");
        }
    }

    @Test
    void aWildcardListensToBothFamilies() throws Exception {
        assumeIpv6();
        InetSocketAddress wildcard = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);
        try (TcpListener listener = TcpListener.bind(skein, wildcard)) {
            for (InetSocketAddress loopback : new InetSocketAddress[] {LOOPBACK, IPV6_LOOPBACK}) {
                try (Socket peer = new Socket(
                                loopback.getAddress(), listener.localAddress().getPort());
                        TcpStream server = listener.accept()) {
                    assertThat(server.remoteAddress()).isEqualTo(peer.getLocalSocketAddress());
                    assertThat(server.localAddress()).isEqualTo(peer.getRemoteSocketAddress());
                }
            }
        }
    }

    @Test
    void aWildcardThatIsNotToListenToBothDoesNot() throws Exception {
        assumeIpv6();
        InetSocketAddress wildcard = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);
        try (TcpListener listener = TcpListener.builder().dualStack(false).bind(skein, wildcard)) {
            assertThat(listener.localAddress().getAddress()).isInstanceOf(Inet4Address.class);
            int port = listener.localAddress().getPort();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> new Socket(IPV6_LOOPBACK.getAddress(), port).close());
        }
    }

    @Test
    void aBacklogOfNothingIsAMistake() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpListener.builder().backlog(0));
    }
}
