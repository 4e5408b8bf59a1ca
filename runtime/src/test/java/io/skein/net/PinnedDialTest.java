package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.DriverMode;
import io.skein.DriverModeTest;
import io.skein.PinnedBy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pinned coroutine connects to a host by name, though nobody else may run on its worker meanwhile. */
@DriverMode.Each
class PinnedDialTest extends DriverModeTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress THERE = InetAddress.ofLiteral("127.0.0.2");

    private final Dialer dialer =
            Dialer.standard().withResolver(_ -> List.of(THERE, HERE)).withStagger(Duration.ofHours(1));

    PinnedDialTest(DriverMode mode) {
        super(mode);
    }

    @ParameterizedTest
    @EnumSource
    void anAddressThatRefusesIsFollowedByTheNext(PinnedBy pinnedBy) throws Exception {
        try (PlainEcho echo = PlainEcho.start()) {
            skein.spawn(() -> pinnedBy.run(() -> {
                        try (TcpStream stream =
                                dialer.connect("service.test", echo.address().getPort())) {
                            assertThat(stream.remoteAddress()).isEqualTo(echo.address());
                            new Connection.OfStream(stream).exchange(3);
                        }
                    }))
                    .get(20, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whenAllRefuseTheFailuresOfAllAreTold(PinnedBy pinnedBy) throws Exception {
        int unused = NetworkTest.lastingAddress().getPort();
        skein.spawn(() -> pinnedBy.run(() -> assertThatExceptionOfType(ConnectException.class)
                        .isThrownBy(() -> dialer.connect("service.test", unused))
                        .withMessageStartingWith("connect service.test:" + unused + ": none of 2 addresses: ")
                        .satisfies(
                                failure -> assertThat(failure.getSuppressed()).hasSize(2))))
                .get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void allOfItTogetherHasALimit(PinnedBy pinnedBy) throws Exception {
        try (FullBacklog full = FullBacklog.open()) {
            Dialer limited = dialer.withResolver(_ -> List.of(HERE, HERE)).withTimeout(Duration.ofMillis(20));
            skein.spawn(() -> pinnedBy.run(() -> {
                        assertThatExceptionOfType(SocketTimeoutException.class)
                                .isThrownBy(() -> limited.connect(
                                        "service.test", full.address().getPort()))
                                .withMessageContaining("no connection within 20 ms");
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    }))
                    .get(20, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLookUpThatTakesTooLongIsATimeout(PinnedBy pinnedBy) throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        Dialer slow = dialer.withLookUpTimeout(Duration.ofMillis(10)).withResolver(_ -> {
            try {
                answered.await();
            } catch (InterruptedException gaveUp) {
                // the caller has gone
            }
            return List.of(HERE);
        });
        try {
            skein.spawn(() -> pinnedBy.run(() -> assertThatExceptionOfType(SocketTimeoutException.class)
                            .isThrownBy(() -> slow.connect("slow.test", 80))
                            .withMessageContaining("resolve slow.test: no answer within 10 ms")))
                    .get(20, TimeUnit.SECONDS);
        } finally {
            answered.countDown();
        }
    }
}
