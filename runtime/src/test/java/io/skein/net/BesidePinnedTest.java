package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.DriverMode;
import io.skein.DriverModeTest;
import io.skein.PinnedBy;
import io.skein.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** While one coroutine waits pinned for a peer that says nothing, those that began on the same worker go on. */
@DriverMode.TwoThatSteal
class BesidePinnedTest extends DriverModeTest {
    private static final int OTHERS = 10;
    private static final int ROUND_TRIPS = 100;

    BesidePinnedTest(DriverMode mode) {
        super(mode);
    }

    @ParameterizedTest
    @EnumSource
    void connectionsAndSleepsOfOthersGoOn(PinnedBy pinnedBy) throws Exception {
        CountDownLatch begun = new CountDownLatch(2 * OTHERS);
        CountDownLatch pinnedWaits = new CountDownLatch(1);
        List<Coroutine<?>> others = new ArrayList<>();
        try (PlainEcho echo = PlainEcho.start();
                ServerSocket listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                Connection idle =
                        Connection.Kind.STREAM.connect(skein, (InetSocketAddress) listener.getLocalSocketAddress());
                Socket peer = listener.accept()) {
            for (int i = 0; i < OTHERS; i++) {
                others.add(skein.spawnOn(0, () -> {
                    try (Connection connection = Connection.Kind.STREAM.connect(skein, echo.address())) {
                        begun.countDown();
                        while (pinnedWaits.getCount() > 0) {
                            connection.exchange(1);
                        }
                        connection.exchange(ROUND_TRIPS);
                    }
                }));
                others.add(skein.spawnOn(0, () -> {
                    begun.countDown();
                    while (pinnedWaits.getCount() > 0) {
                        Time.sleep(Duration.ofMillis(1));
                    }
                    for (int sleep = 0; sleep < 10; sleep++) {
                        Time.sleep(Duration.ofMillis(1));
                    }
                }));
            }
            begun.await();
            Coroutine<Integer> pinned = skein.spawnOn(0, () -> {
                int[] received = new int[1];
                pinnedBy.run(() -> received[0] = idle.read());
                return received[0];
            });
            PinnedBy.awaitWait(pinned);
            pinnedWaits.countDown();

            for (Coroutine<?> other : others) {
                other.get(20, TimeUnit.SECONDS);
            }
            assertThat(pinned.isDone()).isFalse();
            peer.getOutputStream().write(9);
            assertThat(pinned.get(20, TimeUnit.SECONDS)).isEqualTo(9);
        }
    }

    /** What waits on the worker's own ring, selector and timer wheel when the worker is held, and not before. */
    @ParameterizedTest
    @EnumSource
    void whatBeganOnTheHeldWorkerEnds(PinnedBy pinnedBy) throws Exception {
        CountDownLatch begun = new CountDownLatch(OTHERS);
        List<Coroutine<?>> others = new ArrayList<>();
        List<AutoCloseable> open = new ArrayList<>();
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            List<Socket> peers = new ArrayList<>();
            for (int i = 0; i < OTHERS; i++) {
                Connection connection = Connection.Kind.STREAM.connect(skein, address);
                open.add(connection);
                peers.add(listener.accept());
                others.add(skein.spawnOn(0, () -> {
                    begun.countDown();
                    Time.sleep(Duration.ofMillis(20));
                    assertThat(connection.read()).isEqualTo(5);
                }));
            }
            open.addAll(peers);
            begun.await();
            Connection idle = Connection.Kind.STREAM.connect(skein, address);
            open.add(idle);
            Socket idlePeer = listener.accept();
            open.add(idlePeer);
            Coroutine<?> pinned = skein.spawnOn(0, () -> pinnedBy.run(idle::read));
            PinnedBy.awaitWait(pinned);

            for (Socket peer : peers) {
                peer.getOutputStream().write(5);
            }
            for (Coroutine<?> other : others) {
                other.get(20, TimeUnit.SECONDS);
            }

            assertThat(pinned.isDone()).isFalse();
            idlePeer.getOutputStream().write(9);
            pinned.get(20, TimeUnit.SECONDS);
        } finally {
            for (AutoCloseable one : open) {
                one.close();
            }
        }
    }
}
