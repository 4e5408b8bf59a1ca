package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.LeakCheck;
import io.skein.Skein;
import io.skein.internal.seat.OrdinarySockets;
import io.skein.sched.CapturedLog;
import java.net.Socket;
import java.net.SocketException;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Libraries find a runtime by its name, or as the default of the process, from any thread; where they find none,
 * somebody hears of it.
 */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class NamedRuntimeTest {
    private static final String NAME = "named-runtime-test";

    private static boolean isOrdinary(SocketFactory factory) throws Exception {
        try (Socket socket = factory.createSocket()) {
            return socket.getClass() == Socket.class;
        }
    }

    @Test
    void aRuntimeIsFoundByItsNameWhileItRuns() {
        Skein skein = Skein.builder().name(NAME).workers(1).start();
        try (skein) {
            assertThat(Skein.named(NAME)).contains(skein);
            assertThat(skein.name()).isEqualTo(NAME);
        }

        assertThat(Skein.named(NAME)).isEmpty();
    }

    @Test
    void aRuntimeThatRefusesWorkIsNotFound() {
        try (Skein skein = Skein.builder().name(NAME).workers(1).asDefault().start()) {
            skein.shutdownNow();

            assertThat(Skein.named(NAME)).isEmpty();
            assertThat(Skein.byDefault()).isEmpty();
        }
    }

    @Test
    void aNameThatTwoRuntimesHaveIsRefused() {
        try (Skein _ = Skein.builder().name(NAME).workers(1).start();
                Skein _ = Skein.builder().name(NAME).workers(1).start()) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> Skein.named(NAME))
                    .withMessageContaining("2 runtimes are named " + NAME);
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> new SkeinSocketFactory(NAME).createSocket())
                    .withMessageContaining("2 runtimes are named " + NAME);
        }
    }

    @Test
    void thereIsOneDefaultRuntimeAtATime() {
        try (Skein first = Skein.builder().name("first").workers(1).asDefault().start()) {
            assertThat(Skein.byDefault()).contains(first);
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> Skein.builder().workers(1).asDefault().start())
                    .withMessageContaining("first");
        }

        assertThat(Skein.byDefault()).isEmpty();
        try (Skein second = Skein.builder().workers(1).asDefault().start()) {
            assertThat(Skein.byDefault()).contains(second);
        }
    }

    @Test
    void aFactoryWithANameMakesSocketsOfThatRuntimeInAnyThread() throws Exception {
        try (Skein skein = Skein.builder().name(NAME).workers(1).start()) {
            assertThat(isOrdinary(new SkeinSocketFactory(NAME))).isFalse();
            assertThat(skein.metrics().sockets().own()).isEqualTo(1);
        }

        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> new SkeinSocketFactory(NAME).createSocket())
                .withMessageContaining("no runtime is running that is named " + NAME);
    }

    @Test
    void aFactoryWithoutANameMakesSocketsOfTheDefaultRuntime() throws Exception {
        try (Skein skein = Skein.builder().workers(1).asDefault().start()) {
            assertThat(isOrdinary(new SkeinSocketFactory())).isFalse();
            assertThat(isOrdinary(new SkeinSocketFactory(null))).isFalse();
            assertThat(skein.metrics().sockets().own()).isEqualTo(2);
        }
    }

    @Test
    void anOrdinarySocketIsToldOfOnceAndCountedAlways() throws Exception {
        OrdinarySockets ordinary = new OrdinarySockets();
        SkeinSocketFactory factory = new SkeinSocketFactory(null, ordinary);
        try (CapturedLog log = new CapturedLog()) {
            assertThat(isOrdinary(factory)).isTrue();
            assertThat(isOrdinary(factory)).isTrue();

            assertThat(log.linesWith("ordinary socket"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("socketFactoryArg");
        }
        assertThat(ordinary.count()).isEqualTo(2);
    }

    @Test
    void theMetricsTellOfTheOrdinarySocketsOfTheProcess() throws Exception {
        try (Skein skein = Skein.builder().workers(1).start()) {
            long before = skein.metrics().sockets().ordinary();
            assertThat(isOrdinary(new SkeinSocketFactory())).isTrue();

            assertThat(skein.metrics().sockets().ordinary()).isEqualTo(before + 1);
            assertThat(skein.metrics().sockets().own()).isZero();
        }
    }
}
