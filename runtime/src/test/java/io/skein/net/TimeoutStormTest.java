package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Timeouts that race what they wait for. */
@Setup.OnePerDriver
class TimeoutStormTest extends NetworkTest {
    private static final int RACES = 10_000;

    TimeoutStormTest(Setup setup) {
        super(setup);
    }

    /** The reader's timeout and the peer's bytes come at the same time, over and over; the bytes are numbered. */
    @Test
    void aTimeoutThatRacesArrivalLosesNoByteAndBringsNoneTwice() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                Random random = new Random(5);
                ByteBuffer source = ByteBuffer.allocateDirect(100);
                for (int sent = 0; sent < RACES; ) {
                    source.clear();
                    for (int left = 1 + random.nextInt(4); left > 0; left--) {
                        source.put((byte) sent++);
                    }
                    pair.client().write(source.flip());
                    if (random.nextInt(8) == 0) {
                        waitInVain(pair.client(), random.nextInt(2_000_000)); // so that the reader has to wait
                    } else {
                        Coroutine.yieldNow();
                    }
                }
                pair.client().shutdownOutput();
            });
            int[] timeouts = new int[1];
            skein.blockOn(() -> {
                Random random = new Random(6);
                ByteBuffer target = ByteBuffer.allocateDirect(3);
                int received = 0;
                while (true) {
                    pair.server().readTimeout(Duration.ofNanos(1 + random.nextInt(2_000_000)));
                    try {
                        if (pair.server().read(target.clear()) < 0) {
                            break;
                        }
                    } catch (SocketTimeoutException e) {
                        timeouts[0]++;
                    }
                    for (target.flip(); target.hasRemaining(); ) {
                        assertThat(target.get()).isEqualTo((byte) received++);
                    }
                }
                assertThat(received).isGreaterThanOrEqualTo(RACES);
            });
            writer.join();
            assertThat(timeouts[0]).as("timeouts").isPositive();
        }
    }

    /** Reads where nothing comes. */
    private static void waitInVain(TcpStream stream, int nanos) throws IOException {
        stream.readTimeout(Duration.ofNanos(nanos + 1));
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> stream.read(ByteBuffer.allocate(1)));
    }

    @Test
    void anAcceptThatTimesOutLosesNoConnection() throws Exception {
        int connections = 300;
        try (TcpListener listener = listen()) {
            listener.acceptTimeout(Duration.ofMillis(1));
            Coroutine<?> clients = skein.spawn("clients", () -> {
                for (int i = 0; i < connections; i++) {
                    try (TcpStream client = TcpStream.connect(listener.localAddress())) {
                        assertThat(receive(client, 5)).isEqualTo("hello");
                    }
                }
            });
            skein.blockOn(() -> {
                for (int accepted = 0; accepted < connections; ) {
                    try (TcpStream stream = listener.accept()) {
                        accepted++;
                        send(stream, "hello");
                    } catch (SocketTimeoutException e) {
                        assertThat(e).hasMessageStartingWith("accept ");
                    }
                }
            });
            clients.join();
        }
    }
}
