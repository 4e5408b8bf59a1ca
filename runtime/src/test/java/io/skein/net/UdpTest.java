package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@Setup.Each
class UdpTest extends NetworkTest {
    UdpTest(Setup setup) {
        super(setup);
    }

    private UdpSocket bind() throws IOException {
        return UdpSocket.bind(skein, LOOPBACK);
    }

    private static String text(ByteBuffer filled) {
        return StandardCharsets.UTF_8.decode(filled.flip()).toString();
    }

    @Test
    void aDatagramArrivesWithItsSenderAndLength() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            for (ByteBuffer target : new ByteBuffer[] {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10)}) {
                skein.blockOn(() -> {
                    here.send(bytes("hello"), there.localAddress());
                    assertThat(there.receive(target)).isEqualTo(new Received(here.localAddress(), 5, false));
                    assertThat(text(target)).isEqualTo("hello");
                });
            }
        }
    }

    @Test
    void otherThreadsMaySendAndReceive() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            here.send(bytes("hello"), there.localAddress());
            ByteBuffer target = ByteBuffer.allocate(10);
            assertThat(there.receive(target).sender()).isEqualTo(here.localAddress());
            assertThat(text(target)).isEqualTo("hello");
        }
    }

    @Test
    void aTruncatedDatagramIsToldWithItsRealLength() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            for (ByteBuffer target : new ByteBuffer[] {ByteBuffer.allocate(5), ByteBuffer.allocateDirect(5)}) {
                here.send(bytes("hello world"), there.localAddress());
                here.send(bytes("next!"), there.localAddress());

                assertThat(there.receive(target)).isEqualTo(new Received(here.localAddress(), 11, true));
                assertThat(text(target)).isEqualTo("hello");
                assertThat(there.receive(target.clear())).isEqualTo(new Received(here.localAddress(), 5, false));
                assertThat(text(target)).isEqualTo("next!");
            }
        }
    }

    @Test
    void theLongestDatagramFitsAndALongerOneIsRefused() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            here.setOption(StandardSocketOptions.SO_SNDBUF, 200_000);
            there.setOption(StandardSocketOptions.SO_RCVBUF, 200_000);
            for (ByteBuffer source :
                    new ByteBuffer[] {ByteBuffer.allocate(65_507), ByteBuffer.allocateDirect(65_507)}) {
                here.send(source, there.localAddress());
                assertThat(there.receive(ByteBuffer.allocateDirect(70_000)).length())
                        .isEqualTo(65_507);
            }
            for (int length : new int[] {65_508, 70_000}) {
                for (ByteBuffer source :
                        new ByteBuffer[] {ByteBuffer.allocate(length), ByteBuffer.allocateDirect(length)}) {
                    assertThatExceptionOfType(SocketException.class)
                            .isThrownBy(() -> here.send(source, there.localAddress()))
                            .withMessage(
                                    "send 127.0.0.1:" + there.localAddress().getPort() + ": message too long");
                    assertThat(source.position()).isZero();
                    assertThatExceptionOfType(SocketException.class)
                            .isThrownBy(() -> here.sendAll(List.of(new Datagram(source, there.localAddress()))))
                            .withMessageContaining("message too long");
                }
            }
        }
    }

    @Test
    void aConnectedSocketSendsToItsPeerAndHearsNobodyElse() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind();
                UdpSocket stranger = bind()) {
            here.connect(there.localAddress());
            assertThat(here.remoteAddress()).isEqualTo(there.localAddress());
            stranger.send(bytes("psst"), here.localAddress());
            here.send(bytes("hello"));
            assertThat(there.receive(ByteBuffer.allocate(10)).sender()).isEqualTo(here.localAddress());
            there.send(bytes("world"), here.localAddress());

            ByteBuffer target = ByteBuffer.allocate(10);
            assertThat(here.receive(target).sender()).isEqualTo(there.localAddress());
            assertThat(text(target)).isEqualTo("world");
        }
    }

    @Test
    void aSocketThatIsDisconnectedHearsEverybodyAgainOnItsOldPort() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind();
                UdpSocket stranger = bind()) {
            InetSocketAddress before = here.localAddress();
            here.connect(there.localAddress());
            here.disconnect();
            assertThat(here.remoteAddress()).isNull();
            assertThat(here.localAddress()).isEqualTo(before);

            stranger.send(bytes("hello"), before);

            assertThat(here.receive(ByteBuffer.allocate(10)).sender()).isEqualTo(stranger.localAddress());
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> here.send(bytes("x")))
                    .withMessageContaining("not connected");
        }
    }

    @Test
    void aPeerThatIsGoneIsUnreachable() throws Exception {
        UdpSocket gone = bind();
        InetSocketAddress address = gone.localAddress();
        gone.close();
        try (UdpSocket here = bind()) {
            here.connect(address);
            for (Call call : List.<Call>of(
                    () -> here.receive(ByteBuffer.allocate(1)),
                    () -> here.receiveMany(ByteBuffer.allocate(1), ByteBuffer.allocate(1)))) {
                here.send(bytes("anybody?"));
                assertThatExceptionOfType(PortUnreachableException.class).isThrownBy(call::make);
            }
        }
    }

    private interface Call {
        void make() throws IOException;
    }

    @Test
    void aReceiveTimesOutAndTheNextReceives() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            there.receiveTimeout(Duration.ofMillis(5));
            assertThat(there.receiveTimeout()).isEqualTo(Duration.ofMillis(5));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> there.receive(ByteBuffer.allocate(5)))
                    .withMessage("receive 127.0.0.1:" + there.localAddress().getPort() + ": timed out after 5 ms");
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> there.receiveMany(ByteBuffer.allocate(5)));

            here.send(bytes("hello"), there.localAddress());

            there.receiveTimeout(null);
            assertThat(there.receive(ByteBuffer.allocate(5)).length()).isEqualTo(5);
        }
    }

    @Test
    void aSendTimeoutThatDoesNotPassChangesNothing() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            assertThat(here.sendTimeout()).isZero();
            here.sendTimeout(Duration.ofSeconds(30));
            assertThat(here.sendTimeout()).isEqualTo(Duration.ofSeconds(30));

            here.send(bytes("hello"), there.localAddress());
            here.connect(there.localAddress());
            here.send(bytes("hello"));
            here.sendAll(List.of(new Datagram(bytes("hello"), there.localAddress())));

            for (int i = 0; i < 3; i++) {
                assertThat(there.receive(ByteBuffer.allocate(5)).length()).isEqualTo(5);
            }
            here.sendTimeout(null);
            assertThat(here.sendTimeout()).isZero();
        }
    }

    @Test
    void batchesArriveInOrder() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            skein.blockOn(() -> {
                List<Datagram> datagrams = new ArrayList<>();
                for (int i = 0; i < 70; i++) {
                    ByteBuffer text = bytes("datagram " + i);
                    datagrams.add(new Datagram(
                            i % 2 == 0
                                    ? text
                                    : ByteBuffer.allocateDirect(20).put(text).flip(),
                            there.localAddress()));
                }

                here.sendAll(datagrams);

                assertThat(datagrams).noneMatch(datagram -> datagram.bytes().hasRemaining());
                int received = 0;
                int calls = 0;
                while (received < datagrams.size()) {
                    calls++;
                    ByteBuffer[] targets = new ByteBuffer[50];
                    for (int i = 0; i < targets.length; i++) {
                        targets[i] = i % 2 == 0 ? ByteBuffer.allocate(20) : ByteBuffer.allocateDirect(20);
                    }
                    List<Received> batch = there.receiveMany(targets);
                    for (int i = 0; i < batch.size(); i++) {
                        assertThat(text(targets[i])).isEqualTo("datagram " + received++);
                        assertThat(batch.get(i).sender()).isEqualTo(here.localAddress());
                    }
                }
                assertThat(calls).as("calls that 70 took").isLessThan(10);
            });
        }
    }

    @Test
    void aBurstAfterDatagramsThatCameOneByOneIsSoonTakenByBatches() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            skein.blockOn(() -> {
                ByteBuffer[] targets =
                        Stream.generate(() -> ByteBuffer.allocate(10)).limit(50).toArray(ByteBuffer[]::new);
                for (int i = 0; i < 100; i++) {
                    Coroutine<?> sender = skein.spawn("sender", () -> here.send(bytes("lonely"), there.localAddress()));
                    assertThat(there.receiveMany(targets)).hasSize(1);
                    sender.join();
                    targets[0].clear();
                }
                here.sendAll(Collections.nCopies(70, 0).stream()
                        .map(_ -> new Datagram(bytes("burst"), there.localAddress()))
                        .toList());
                int calls = 0;
                for (int received = 0; received < 70; calls++) {
                    received += there.receiveMany(targets).size();
                    for (ByteBuffer target : targets) {
                        target.clear();
                    }
                }
                assertThat(calls).as("calls that 70 took").isLessThan(30);
            });
        }
    }

    @Test
    void aBatchTellsWhatWasTruncated() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            here.sendAll(List.of(
                    new Datagram(bytes("short"), there.localAddress()),
                    new Datagram(bytes("much too long"), there.localAddress())));
            List<Received> all = new ArrayList<>();
            while (all.size() < 2) {
                all.addAll(there.receiveMany(ByteBuffer.allocate(5), ByteBuffer.allocate(5)));
            }
            assertThat(all)
                    .containsExactly(
                            new Received(here.localAddress(), 5, false), new Received(here.localAddress(), 13, true));
        }
    }

    @Test
    void aBatchGoesToTheConnectedPeer() throws Exception {
        try (UdpSocket here = bind();
                UdpSocket there = bind()) {
            here.connect(there.localAddress());
            here.sendAll(List.of(new Datagram(bytes("a"), null), new Datagram(bytes("b"), null)));
            ByteBuffer target = ByteBuffer.allocate(2);
            there.receive(target);
            there.receive(target);
            assertThat(text(target)).isEqualTo("ab");
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> there.sendAll(List.of(new Datagram(bytes("a"), null))))
                    .withMessageContaining("not connected");
            assertThatIllegalArgumentException().isThrownBy(there::receiveMany);
        }
    }

    @Test
    void aReceiverOfManyIsInterruptedOrWokenByClose() throws Exception {
        UdpSocket there = bind();
        Coroutine<?> interrupted = skein.spawn("interrupted", () -> {
            assertThatExceptionOfType(InterruptedIOException.class)
                    .isThrownBy(() -> there.receiveMany(ByteBuffer.allocate(1), ByteBuffer.allocate(1)));
            assertThat(Thread.interrupted()).isTrue();
        });
        Await.untilWaiting(interrupted);
        interrupted.thread().interrupt();
        interrupted.join();

        Coroutine<?> evicted = skein.spawn("evicted", () -> {
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> there.receiveMany(ByteBuffer.allocate(1)))
                    .withMessageContaining("closed by another thread");
        });
        Await.untilWaiting(evicted);
        there.close();
        evicted.join();
    }

    @Test
    void aSocketOfIpv6SpeaksToBothFamilies() throws Exception {
        assumeIpv6();
        InetSocketAddress wildcard = new InetSocketAddress(InetAddress.ofLiteral("::"), 0);
        try (UdpSocket both = UdpSocket.bind(skein, wildcard);
                UdpSocket four = bind();
                UdpSocket six = UdpSocket.bind(skein, IPV6_LOOPBACK)) {
            for (UdpSocket one : new UdpSocket[] {four, six}) {
                both.send(bytes("hello"), one.localAddress());
                InetSocketAddress sender = one.receive(ByteBuffer.allocate(5)).sender();
                one.send(bytes("world"), sender);
                assertThat(both.receive(ByteBuffer.allocate(5)).sender()).isEqualTo(one.localAddress());
            }
        }
    }

    @Test
    void whoJoinsAGroupHearsItUntilItLeaves() throws Exception {
        InetAddress group = InetAddress.ofLiteral("239.7.7.7");
        NetworkInterface loopback = NetworkInterface.getByInetAddress(LOOPBACK.getAddress());
        try (UdpSocket here = bind();
                UdpSocket there = UdpSocket.bind(skein, new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0))) {
            here.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            assertThat(here.getOption(StandardSocketOptions.IP_MULTICAST_IF)).isEqualTo(loopback);
            here.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true);
            here.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1);
            assertThat(here.getOption(StandardSocketOptions.IP_MULTICAST_TTL)).isEqualTo(1);
            InetSocketAddress target =
                    new InetSocketAddress(group, there.localAddress().getPort());
            there.join(group, loopback);
            try {
                here.send(bytes("hello"), target);
            } catch (IOException e) {
                assumeTrue(false, "this machine has no multicast on its loopback interface: " + e.getMessage());
            }

            assertThat(there.receive(ByteBuffer.allocate(5)).length()).isEqualTo(5);

            there.leave(group, loopback);
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> there.leave(group, loopback));
            assertThatIllegalArgumentException().isThrownBy(() -> there.join(LOOPBACK.getAddress(), loopback));
        }
    }
}
