package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import io.skein.ThreadKind;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much has arrived, wherever it is: in the kernel, in the driver's buffers, read ahead. */
@Setup.Each
class AvailableTest extends NetworkTest {
    AvailableTest(Setup setup) {
        super(setup);
    }

    @ParameterizedTest
    @EnumSource
    void itTellsOfEveryByteThatCanBeRead(ThreadKind user) throws Exception {
        try (Pair pair = pair()) {
            TcpStream server = pair.server();
            user.call(skein, () -> {
                assertThat(server.available()).isZero();
                send(pair.client(), "a line\nand more");
                Await.until("all is there", () -> server.available() == 15);

                assertThat(receive(server, 2)).isEqualTo("a ");
                assertThat(server.available()).isEqualTo(13);

                assertThat(server.readUntil((byte) '\n', 100)).hasSize(5);
                assertThat(server.available()).isEqualTo(8);

                send(pair.client(), "!");
                Await.until("the rest is there", () -> server.available() == 9);
                assertThat(receive(server, 9)).isEqualTo("and more!");
                assertThat(server.available()).isZero();
                return true;
            });
        }
    }

    @Test
    void aReaderThatWaitsIsNotDisturbedAndItsNextBytesAreCounted() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<String> reader = skein.spawn(() -> receive(pair.server(), 1));
            Await.untilWaiting(reader);
            assertThat(pair.server().available()).isZero();

            send(pair.client(), "hello");

            assertThat(reader.join()).isEqualTo("h");
            Await.until("four are left", () -> pair.server().available() == 4);
            assertThat(receive(pair.server(), 4)).isEqualTo("ello");
        }
    }

    @Test
    void aCoroutineThatAsksAgainAndAgainIsAnswered() throws Exception {
        skein.blockOn(() -> {
            try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 1, LOOPBACK.getAddress());
                    Socket client =
                            skein.socketFactory().createSocket(LOOPBACK.getAddress(), listening.getLocalPort());
                    Socket server = listening.accept()) {
                client.getOutputStream().write(new byte[] {1, 2, 3});
                assertThat(server.getInputStream().read()).isEqualTo(1); // a receive may stay armed from now on
                assertThat(server.getInputStream().readNBytes(2)).hasSize(2);
                client.getOutputStream().write(7);
                while (server.getInputStream().available() == 0) {
                    Thread.onSpinWait(); // no wait of its own
                }
                assertThat(server.getInputStream().read()).isEqualTo(7);
            }
        });
    }

    @Test
    void atTheEndThereIsNothingAndAClosedStreamSaysSo() throws Exception {
        try (Pair pair = pair()) {
            pair.client().close();
            assertThat(receive(pair.server(), 1)).isEmpty();
            assertThat(pair.server().available()).isZero();
            pair.server().shutdownInput();
            assertThat(pair.server().available()).isZero();
            pair.server().close();
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> pair.server().available())
                    .withMessageContaining("closed");
        }
    }
}
