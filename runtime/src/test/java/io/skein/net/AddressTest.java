package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Setup;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

@Setup.Each
class AddressTest extends NetworkTest {
    AddressTest(Setup setup) {
        super(setup);
    }

    @Test
    void aListenerOnPortZeroTellsThePortItGot() throws Exception {
        try (TcpListener listener = listen()) {
            assertThat(listener.localAddress().getAddress()).isEqualTo(LOOPBACK.getAddress());
            assertThat(listener.localAddress().getPort()).isPositive();
        }
    }

    @Test
    void theAddressesOfBothEndsMirrorEachOther() throws Exception {
        try (TcpListener listener = listen();
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TcpStream server = listener.accept()) {
            assertThat(client.remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(server.localAddress()).isEqualTo(listener.localAddress());
            assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        }
    }

    @Test
    void theAddressesOfIpv6MirrorEachOtherToo() throws Exception {
        assumeIpv6();
        try (TcpListener listener = TcpListener.bind(skein, IPV6_LOOPBACK);
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TcpStream server = listener.accept()) {
            assertThat(client.remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(server.localAddress()).isEqualTo(listener.localAddress());
            assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        }
    }

    @Test
    void theAddressesAreKnownAfterClosing() throws Exception {
        TcpListener listener = listen();
        TcpStream client = TcpStream.connect(skein, listener.localAddress());
        InetSocketAddress listening = listener.localAddress();
        InetSocketAddress local = client.localAddress();
        client.close();
        listener.close();

        assertThat(listener.localAddress()).isEqualTo(listening);
        assertThat(client.localAddress()).isEqualTo(local);
        assertThat(client.remoteAddress()).isEqualTo(listening);
    }

    @Test
    void whatAStreamOrAListenerPrintsNamesItsAddress() throws Exception {
        try (TcpListener listener = listen();
                TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
            String port = Integer.toString(listener.localAddress().getPort());

            assertThat(listener).asString().contains(port);
            assertThat(client).asString().contains(port);
        }
    }
}
