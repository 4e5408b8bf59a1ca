package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Setup;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

@Setup.Each
class ConnectTest extends NetworkTest {
    ConnectTest(Setup setup) {
        super(setup);
    }

    @Test
    void aRefusedConnectionIsAConnectExceptionThatSaysWhereAndWhy() throws Exception {
        InetSocketAddress nobody = lastingAddress();

        skein.blockOn(() -> {
            assertThatExceptionOfType(ConnectException.class)
                    .isThrownBy(() -> TcpStream.connect(nobody))
                    .withMessageStartingWith("connect 127.0.0.1:" + nobody.getPort() + ": connection refused");
        });
    }

    @Test
    void manyRefusedConnectionsLeaveNothingBehind() throws Exception {
        InetSocketAddress nobody = lastingAddress();

        skein.blockOn(() -> {
            for (int i = 0; i < 100; i++) {
                assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> TcpStream.connect(nobody));
            }
        });
    }

    @Test
    void anUnknownHostIsNamed() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(UnknownHostException.class)
                    .isThrownBy(() -> TcpStream.connect("no-such-host.invalid", 80))
                    .withMessageContaining("no-such-host.invalid");
        });
    }

    @Test
    void anAddressThatCouldNotBeResolvedIsAnUnknownHost() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("no-such-host.invalid", 80);

        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> TcpStream.connect(skein, unresolved))
                .withMessageContaining("no-such-host.invalid");
    }

    @Test
    void aPortThatIsNoPortIsAnIllegalArgument() throws Exception {
        skein.blockOn(() -> {
            assertThatIllegalArgumentException().isThrownBy(() -> TcpStream.connect("127.0.0.1", 65_536));
            assertThatIllegalArgumentException().isThrownBy(() -> TcpStream.connect("127.0.0.1", -1));
        });
    }

    @Test
    void outsideOfACoroutineTheRuntimeHasToBeNamed() {
        assertThatIllegalStateException().isThrownBy(() -> TcpStream.connect("127.0.0.1", 1));
        assertThatIllegalStateException().isThrownBy(() -> TcpStream.connect(LOOPBACK));
    }

    @Test
    void aRefusedConnectionDoesNotHurtTheNextOne() throws Exception {
        InetSocketAddress nobody = lastingAddress();
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            skein.blockOn(() -> {
                assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> TcpStream.connect(nobody));

                try (TcpStream client = TcpStream.connect(server.address())) {
                    send(client, "hello");
                    assertThat(receive(client, 5)).isEqualTo("hello");
                }
            });
        }
    }
}
