package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Rounds;
import io.skein.Setup;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Timeouts that race what they wait for. */
@Setup.OnePerDriver
class TimeoutStormTest extends NetworkTest {
    private static final int RACES = Rounds.of(10_000);
    private static final int PAIRS = 40;

    /** More than the buffers of a driver hold, so that the stream is read without them. */
    private static final int BULK = 100_000;

    private static final Duration TICK = Duration.ofMillis(1);

    TimeoutStormTest(Setup setup) {
        super(setup);
    }

    /**
     * Timers fire by the tick: so a reader's timeout and a byte that its peer sends after a timeout as long come together, over
     * and over. The bytes are numbered. Half of the streams are read by way of the driver's own buffers, if it has some.
     */
    @Test
    void aTimeoutThatRacesArrivalLosesNoByteAndBringsNoneTwice() throws Exception {
        AtomicInteger timeouts = new AtomicInteger();
        List<Pair> pairs = new ArrayList<>();
        List<Coroutine<?>> all = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            Pair pair = pair();
            int size = i % 2 == 0 ? 3 : BULK;
            pairs.add(pair);
            all.add(skein.spawn("writer", () -> sendAfterTimeouts(pair.client())));
            all.add(skein.spawn("reader", () -> readWithTimeouts(pair.server(), size, timeouts)));
        }
        for (Coroutine<?> each : all) {
            each.join();
        }
        pairs.forEach(Pair::close);
        assertThat(timeouts.get()).as("timeouts").isPositive();
    }

    private static void sendAfterTimeouts(TcpStream stream) throws IOException {
        ByteBuffer source = ByteBuffer.allocateDirect(1);
        stream.readTimeout(TICK);
        for (int sent = 0; sent < RACES / PAIRS; sent++) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> stream.read(ByteBuffer.allocate(1)));
            stream.write(source.clear().put((byte) sent).flip());
        }
        stream.shutdownOutput();
    }

    private static void readWithTimeouts(TcpStream stream, int size, AtomicInteger timeouts) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(size);
        stream.readTimeout(TICK);
        int received = 0;
        while (true) {
            try {
                if (stream.read(target.clear()) < 0) {
                    break;
                }
            } catch (SocketTimeoutException e) {
                timeouts.incrementAndGet();
            }
            for (target.flip(); target.hasRemaining(); ) {
                assertThat(target.get()).isEqualTo((byte) received++);
            }
        }
        assertThat(received).isEqualTo(RACES / PAIRS);
    }

    @Test
    void anAcceptThatTimesOutLosesNoConnection() throws Exception {
        int connections = 100;
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
