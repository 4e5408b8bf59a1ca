package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

@Setup.Each
class BindTest extends NetworkTest {
    BindTest(Setup setup) {
        super(setup);
    }

    @Test
    void aUsedPortIsABindExceptionThatSaysWhichAndWhy() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener first = TcpListener.bind(LOOPBACK)) {
                InetSocketAddress used = first.localAddress();

                assertThatExceptionOfType(BindException.class)
                        .isThrownBy(() -> TcpListener.bind(used))
                        .withMessageStartingWith("bind 127.0.0.1:" + used.getPort() + ": address already in use");
            }
        });
    }

    @Test
    void aPortUsedByAPlainServerIsABindException() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 50, LOOPBACK.getAddress())) {
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> TcpListener.bind(skein, (InetSocketAddress) plain.getLocalSocketAddress()))
                    .withMessageContaining(Integer.toString(plain.getLocalPort()));
        }
    }

    @Test
    void anAddressOfAnotherMachineIsABindExceptionThatNamesIt() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> TcpListener.bind("198.51.100.1", 0))
                    .withMessageContaining("198.51.100.1");
        });
    }

    @Test
    void anUnknownHostIsNamed() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(UnknownHostException.class)
                    .isThrownBy(() -> TcpListener.bind("no-such-host.invalid", 7000))
                    .withMessageContaining("no-such-host.invalid");
        });
    }

    @Test
    void anAddressThatCouldNotBeResolvedIsAnUnknownHost() throws Exception {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("no-such-host.invalid", 7000);

        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> TcpListener.bind(skein, unresolved))
                .withMessageContaining("no-such-host.invalid");
    }

    @Test
    void aPortThatIsNoPortIsAnIllegalArgument() throws Exception {
        skein.blockOn(() -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> TcpListener.bind("127.0.0.1", 65_536))
                    .withMessageContaining("65536");
            assertThatIllegalArgumentException().isThrownBy(() -> TcpListener.bind("127.0.0.1", -1));
        });
    }

    @Test
    void outsideOfACoroutineTheRuntimeHasToBeNamed() {
        assertThatIllegalStateException().isThrownBy(() -> TcpListener.bind(LOOPBACK));
        assertThatIllegalStateException().isThrownBy(() -> TcpListener.bind("127.0.0.1", 0));
    }

    @Test
    void aPortIsFreeAgainOnceItsListenerIsClosed() throws Exception {
        skein.blockOn(() -> {
            InetSocketAddress address = lastingAddress();
            try (TcpListener first = TcpListener.bind(address)) {
                assertThat(first.localAddress()).isEqualTo(address);
            }

            try (TcpListener second = TcpListener.bind(address)) {
                assertThat(second.localAddress()).isEqualTo(address);
            }
        });
    }

    @Test
    void aServerCanBeStartedAgainWhileItsOldConnectionsLinger() throws Exception {
        skein.blockOn(() -> {
            InetSocketAddress address = lastingAddress();
            try (TcpListener first = TcpListener.bind(address)) {
                try (TcpStream client = TcpStream.connect(address)) {
                    first.accept().close(); // Who closes first keeps the port in TIME_WAIT.
                    assertThat(receive(client, 1)).isEmpty();
                }
            }

            try (TcpListener second = TcpListener.bind(address)) {
                assertThat(second.localAddress()).isEqualTo(address);
            }
        });
    }

    @Test
    void aServerCanBeStartedAgainAtOnceHoweverItsAcceptsHadWaited() throws Exception {
        InetSocketAddress address = lastingAddress();
        for (int round = 0; round < 50; round++) {
            try (TcpListener listener = TcpListener.bind(skein, address)) {
                Coroutine<?> acceptor =
                        skein.spawn("acceptor", () -> listener.accept().close());
                Await.untilWaiting(acceptor);
                TcpStream.connect(skein, address).close();
                acceptor.join();
            }
        }
    }

    @Test
    void aFailedBindLeavesTheFirstListenerAtWork() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK)) {
            assertThatExceptionOfType(BindException.class).isThrownBy(() -> TcpListener.bind(skein, server.address()));

            try (TcpStream client = TcpStream.connect(skein, server.address())) {
                send(client, "hello");
                assertThat(receive(client, 5)).isEqualTo("hello");
            }
        }
    }
}
