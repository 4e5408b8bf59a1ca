package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import org.junit.jupiter.api.Test;

@Setup.Each
class PendingTest extends NetworkTest {
    PendingTest(Setup setup) {
        super(setup);
    }

    @Test
    void aSecondReaderIsRefusedAndTheFirstReadsOn() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<String> first = skein.spawn("first", () -> receive(pair.server(), 5));
            Await.untilWaiting(first);

            skein.blockOn(() -> {
                assertThatExceptionOfType(ReadPendingException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)));
            });

            send(pair.client(), "hello");
            assertThat(first.join()).isEqualTo("hello");
        }
    }

    @Test
    void aSecondWriterIsRefusedAndTheFirstWritesOn() throws Exception {
        int size = 64 << 20;
        try (Pair pair = pair()) {
            Coroutine<?> first = skein.spawn("first", () -> pair.server().write(ByteBuffer.allocateDirect(size)));
            Await.untilWaiting(first);

            skein.blockOn(() -> {
                assertThatExceptionOfType(WritePendingException.class).isThrownBy(() -> send(pair.server(), "me too"));
            });

            skein.blockOn(() -> {
                ByteBuffer target = ByteBuffer.allocateDirect(size);
                while (target.hasRemaining()) {
                    assertThat(pair.client().read(target)).isPositive();
                }
            });
            first.join();
        }
    }

    @Test
    void oneMayReadWhileAnotherWrites() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<String> reader = skein.spawn("reader", () -> receive(pair.server(), 5));
            Await.untilWaiting(reader);

            skein.blockOn(() -> send(pair.server(), "from here"));
            assertThat(skein.blockOn(() -> receive(pair.client(), 9))).isEqualTo("from here");

            send(pair.client(), "hello");
            assertThat(reader.join()).isEqualTo("hello");
        }
    }

    @Test
    void coroutinesMayReadOneAfterTheOther() throws Exception {
        try (Pair pair = pair()) {
            for (int i = 0; i < 50; i++) {
                send(pair.client(), "hello");

                assertThat(skein.blockOn(() -> receive(pair.server(), 5))).isEqualTo("hello");
            }
        }
    }
}
