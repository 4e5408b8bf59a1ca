package io.skein.net;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Dispatch;
import io.skein.Setup;
import io.skein.internal.loom.Loom;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Readers that were stolen: their stream's driver is another worker's, and hears of them by message. */
@Setup.OnePerDriver
class AwayFromHomeTest extends NetworkTest {
    AwayFromHomeTest(Setup setup) {
        super(setup);
    }

    /**
     * The worker at home is busy until the read has been sent to it, and then runs the interrupted reader before it looks at
     * its messages: the cancel must not come before what it is to cancel.
     */
    @Test
    void anInterruptThatComesBeforeTheReadIsStartedEndsItAllTheSame() throws Exception {
        try (Pair pair = pair()) {
            skein.spawn(
                            Dispatch.to(0),
                            () -> { // the first read decides where home is
                                send(pair.client(), "a");
                                pair.server().read(ByteBuffer.allocate(1));
                            })
                    .join();
            for (int round = 0; round < 20; round++) {
                AtomicReference<Coroutine<?>> started = new AtomicReference<>();
                Coroutine<?> busy = skein.spawn(Dispatch.to(0), () -> {
                    Coroutine<?> reader = skein.spawn(Dispatch.to(1), () -> {
                        assertThatExceptionOfType(InterruptedIOException.class)
                                .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)));
                    });
                    started.set(reader);
                    while (!reader.isDone() && reader.thread().getState() != Thread.State.WAITING) {
                        if (Loom.available()) {
                            Thread.onSpinWait();
                        } else {
                            LockSupport.parkNanos(1_000_000); // the JDK's scheduler may have one carrier for both
                        }
                    }
                    reader.thread().interrupt();
                });
                busy.join();
                started.get().join();
            }
        }
    }
}
