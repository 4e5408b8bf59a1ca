package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.internal.loom.ChannelDescriptors;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@Setup.OnePerDriver
class AbstractNameTest extends NetworkTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    private final String name = "skein-" + UUID.randomUUID();

    AbstractNameTest(Setup setup) {
        super(setup);
    }

    private static boolean has(DriverKind driver) {
        return driver == DriverKind.URING || ChannelDescriptors.available();
    }

    private void assumeNames() {
        assumeTrue(has(skein.driver()), "nio has abstract names only with " + ChannelDescriptors.missing());
    }

    /** The test's listener is made by what nio needs too. */
    private static FullDoor fullDoor(String name) throws IOException {
        assumeTrue(ChannelDescriptors.available(), "the test itself needs " + ChannelDescriptors.missing());
        return FullDoor.open(name);
    }

    @Test
    void whereTheyCannotBeHadTheRefusalNamesTheFlag() {
        assumeFalse(has(skein.driver()), "this driver has them here");

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> UnixListener.bindAbstract(skein, name))
                .withMessageContaining("@" + name)
                .withMessageContaining("--add-opens=java.base/java.lang=");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> UnixStream.connectAbstract(skein, name))
                .withMessageContaining("@" + name)
                .withMessageContaining("--add-opens=java.base/java.lang=");
    }

    @Test
    void aNameConnectsTwoStreams() throws Exception {
        assumeNames();
        try (UnixListener listener = UnixListener.bindAbstract(skein, name);
                UnixStream client = UnixStream.connectAbstract(skein, name, Duration.ofSeconds(30));
                UnixStream server = listener.accept()) {
            UnixTest.expectEcho(client, server);
            UnixTest.expectEcho(server, client);
        }
    }

    @Test
    void coroutinesWaitAtItAndTalk() throws Exception {
        assumeNames();
        try (UnixListener listener = UnixListener.bindAbstract(skein, name)) {
            Coroutine<?> server = skein.spawn("server", () -> {
                try (UnixStream stream = listener.accept()) {
                    ByteBuffer bytes = ByteBuffer.allocate(5);
                    stream.readFully(bytes);
                    stream.write(bytes.flip());
                }
            });
            Await.untilWaiting(server);
            try (UnixStream client = UnixStream.connectAbstract(skein, name)) {
                client.write(bytes("hello"));
                ByteBuffer target = ByteBuffer.allocate(5);
                client.readFully(target);
                assertThat(target.flip()).isEqualTo(bytes("hello"));
                assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            server.join();
        }
    }

    @Test
    void theAddressesAreThoseOfTheKernel() throws Exception {
        assumeNames();
        try (UnixListener listener = UnixListener.bindAbstract(skein, name);
                UnixStream client = UnixStream.connectAbstract(skein, name);
                UnixStream server = listener.accept()) {
            assertThat(listener.localAddress()).hasToString("@" + name);
            assertThat(client.remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(server.localAddress()).isEqualTo(listener.localAddress());
            assertThat(client.localAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
            assertThat(server.remoteAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
        }
    }

    @Test
    void aPeerWithANameOfItsOwnIsKnownByIt() throws Exception {
        assumeNames();
        try (UnixListener listener = UnixListener.bindAbstract(skein, name);
                RawUnixSocket peer = new RawUnixSocket()) {
            peer.bind(name + "-peer");
            assertThat(peer.connect(name)).isZero();
            try (UnixStream server = listener.accept()) {
                assertThat(server.remoteAddress()).hasToString("@" + name + "-peer");
            }
        }
    }

    @Test
    void aNameInUseIsNotBound() throws Exception {
        assumeNames();
        try (UnixListener _ = UnixListener.bindAbstract(skein, name)) {
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> UnixListener.bindAbstract(skein, name))
                    .withMessage("bind @" + name + ": address already in use");
        }
    }

    @Test
    void aNameIsFreeAgainWhenItsListenerIsClosed() throws Exception {
        assumeNames();
        skein.blockOn(() -> {
            for (int i = 0; i < 3; i++) {
                try (UnixListener listener = UnixListener.bindAbstract(skein, name)) {
                    listener.acceptTimeout(Duration.ofMillis(1));
                    assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(listener::accept);
                }
            }
        });
    }

    @Test
    void aNameWhereNobodyListensRefuses() {
        assumeNames();
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> UnixStream.connectAbstract(skein, name))
                .withMessage("connect @" + name + ": connection refused");
    }

    @Test
    void aNameThatIsTooLongIsToldByName() {
        assumeNames();
        String tooLong = "x".repeat(108);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UnixListener.bindAbstract(skein, tooLong))
                .withMessageContaining("@" + tooLong);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UnixStream.connectAbstract(skein, tooLong))
                .withMessageContaining("@" + tooLong);
    }

    @Test
    void anAcceptThatTimesOutLeavesTheListenerUsable() throws Exception {
        assumeNames();
        try (UnixListener listener = UnixListener.bindAbstract(skein, name)) {
            listener.acceptTimeout(Duration.ofMillis(5));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(listener::accept)
                    .withMessage("accept @" + name + ": timed out after 5 ms");

            listener.acceptTimeout(Duration.ofSeconds(30));
            try (UnixStream client = UnixStream.connectAbstract(skein, name);
                    UnixStream server = listener.accept()) {
                UnixTest.expectEcho(client, server);
            }
        }
    }

    @Test
    void closeWakesWhoReadsAndWhoAccepts() throws Exception {
        assumeNames();
        UnixListener listener = UnixListener.bindAbstract(skein, name);
        UnixTest.expectCloseToWake(skein, listener, UnixStream.connectAbstract(skein, name));
    }

    @Test
    void whatIsLeftOpenIsClosedWithTheRuntime() throws Exception {
        assumeNames();
        UnixListener listener = UnixListener.bindAbstract(skein, name);
        UnixStream client = UnixStream.connectAbstract(skein, name);
        UnixStream server = listener.accept();
        UnixTest.expectEcho(client, server);

        skein.close();

        assertThat(List.of(listener, client, server)).noneMatch(NetworkSocket::isOpen);
    }

    @Test
    void theOtherDriverIsReached() throws Exception {
        DriverKind other = skein.driver() == DriverKind.URING ? DriverKind.NIO : DriverKind.URING;
        assumeTrue(has(DriverKind.NIO), "nio has abstract names only with " + ChannelDescriptors.missing());
        try (Skein others = new Setup(other, 1, 0).builder().start();
                UnixListener listener = UnixListener.bindAbstract(skein, name);
                UnixStream client = UnixStream.connectAbstract(others, name);
                UnixStream server = listener.accept()) {
            UnixTest.expectEcho(client, server);
            UnixTest.expectEcho(server, client);
            assertThat(client.remoteAddress()).isEqualTo(server.localAddress());
            assertThat(client.localAddress()).isEqualTo(server.remoteAddress());
        }
    }

    @Test
    void aFullBacklogKeepsWhoConnectsWaitingForSoLong() throws Exception {
        try (FullDoor _ = fullDoor(name)) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> UnixStream.connectAbstract(skein, name, SHORT))
                    .withMessage("connect @" + name + ": timed out after 20 ms");
        }
    }

    @Test
    void whoWaitsAtAFullBacklogGetsInWhenThereIsRoom() throws Exception {
        try (FullDoor door = fullDoor(name)) {
            Coroutine<UnixStream> late = skein.spawn("late", () -> UnixStream.connectAbstract(skein, name));
            Await.untilWaiting(late);

            door.admitOne();

            try (UnixStream stream = late.join()) {
                assertThat(stream.remoteAddress()).hasToString("@" + name);
            }
        }
    }

    /** Often, for the kernel did not find one in some hundreds. */
    @RepeatedTest(200)
    void aCancelEndsTheWaitAtAFullBacklog() throws Exception {
        try (FullDoor _ = fullDoor(name)) {
            Coroutine<?> late = skein.spawn(
                    "late", () -> UnixStream.connectAbstract(skein, name).close());
            Await.untilWaiting(late);

            late.cancel(true);

            assertThatExceptionOfType(CancellationException.class).isThrownBy(late::join);
        }
    }
}
