package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.DriverMode;
import io.skein.DriverModeTest;
import io.skein.UntouchedClass;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fifty coroutines touch a class whose static initialiser connects, as one with a pool of connections does. */
@DriverMode.Each
class FirstTouchTest extends DriverModeTest {
    private static final int COROUTINES = 50;

    FirstTouchTest(DriverMode mode) {
        super(mode);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void allOfThemGoOn(String host) throws Exception {
        AtomicInteger exchanges = new AtomicInteger();
        try (PlainEcho echo = PlainEcho.start()) {
            UntouchedClass untouched = UntouchedClass.with(() -> {
                try (Socket socket =
                        skein.socketFactory().createSocket(host, echo.address().getPort())) {
                    new Connection.OfSocket(socket).exchange(1);
                    exchanges.incrementAndGet();
                }
            });
            List<Coroutine<?>> coroutines = new ArrayList<>();
            for (int i = 0; i < COROUTINES; i++) {
                coroutines.add(skein.spawn(untouched::touch));
            }

            for (Coroutine<?> coroutine : coroutines) {
                coroutine.get(20, TimeUnit.SECONDS);
            }
            assertThat(exchanges).hasValue(1);
        }
    }
}
