package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.io.Deadline;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More streams than receive buffers: every byte arrives all the same, and no buffer is ever lost. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class ReceiveBuffersTest {
    private static final int BUFFERS = 2;
    private static final int STREAMS = 12;
    private static final int TOTAL = 1 << 18;
    private static final int CHUNK = 8000;

    /** One side reads by an inflow, the other writes. */
    private final class Stream {
        private final SocketPair sockets = SocketPair.open();
        private final Home home = new Home();
        private final Take take = new Take(sockets.here(), home, pool, true, true);
        private final byte seed;

        Stream(int seed) {
            this.seed = (byte) seed;
        }

        private byte due(int offset) {
            return (byte) (seed + offset / 7 * 31 + offset);
        }

        int read(LoneDriver driver, ByteBuffer target) {
            return take.read(driver, Deadline.NONE, target);
        }

        void readAll(LoneDriver driver) {
            ByteBuffer target = ByteBuffer.allocate(5000);
            int received = 0;
            for (int count = read(driver, target); count > 0; count = read(driver, target.clear())) {
                for (int i = 0; i < count; i++) {
                    if (target.get(i) != due(received + i)) {
                        throw new AssertionError("byte " + (received + i) + " is wrong");
                    }
                }
                received += count;
            }
            assertThat(received).isEqualTo(TOTAL);
        }

        void writeAll(LoneDriver driver) {
            long chunk = Libc.allocate(CHUNK);
            try {
                for (int sent = 0; sent < TOTAL; ) {
                    int length = Math.min(CHUNK, TOTAL - sent);
                    for (int i = 0; i < length; i++) {
                        Memory.plainByte(chunk + i, due(sent + i));
                    }
                    sent += AnyOperation.send(sockets.there(), chunk, length).perform(driver);
                }
                new Shutdown(sockets.there(), Libc.SHUT_WR).perform(driver);
            } finally {
                Libc.free(chunk);
            }
        }

        void close(LoneDriver driver) {
            Close.close(driver, sockets.here(), home.lane(), take::close);
            Close.close(driver, sockets.there());
        }
    }

    private final NativeBuffers pool = new NativeBuffers(false);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereBuffersRunOutEveryByteArrivesAndNoBufferIsLost(boolean shared) throws Exception {
        try (LoneDriver driver = new LoneDriver(64, 256, BUFFERS, shared);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Stream> streams = streams();
            List<Future<?>> ends = new ArrayList<>();
            for (Stream stream : streams) {
                ends.add(threads.submit(() -> stream.readAll(driver)));
                ends.add(threads.submit(() -> stream.writeAll(driver)));
            }
            for (Future<?> end : ends) {
                end.get(30, TimeUnit.SECONDS);
            }

            long shortages = driver.ask(it -> buffers(it).shortages());
            assertThat(shortages).as("how often none was left").isPositive();
            streams.forEach(stream -> stream.close(driver));
            expectAllBuffersBack(driver);
        }
        pool.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void buffersThatNobodyReadComeBackWithTheClose(boolean shared) throws Exception {
        try (LoneDriver driver = new LoneDriver(64, 256, BUFFERS, shared)) {
            List<Stream> streams = streams();
            long bytes = Libc.allocate(CHUNK);
            for (Stream stream : streams) { // the first byte arms the receive, the rest nobody reads
                AnyOperation.send(stream.sockets.there(), bytes, 1).perform(driver);
                assertThat(stream.read(driver, ByteBuffer.allocate(1))).isEqualTo(1);
                AnyOperation.send(stream.sockets.there(), bytes, CHUNK).perform(driver);
            }
            Await.until(
                    "a buffer waits for a reader",
                    () -> driver.ask(it -> buffers(it).taken()) > 0);

            streams.forEach(stream -> stream.close(driver));

            expectAllBuffersBack(driver);
            Libc.free(bytes);
        }
        pool.close();
    }

    private static BufferRing buffers(UringDriver driver) {
        return Objects.requireNonNull(driver.buffers(), "the kernel gave no buffers");
    }

    private List<Stream> streams() {
        List<Stream> streams = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            streams.add(new Stream(i));
        }
        return streams;
    }

    private static void expectAllBuffersBack(LoneDriver driver) {
        int lent = driver.ask(it -> buffers(it).taken());
        assertThat(lent).as("lent buffers").isZero();
        int available = driver.ask(it -> buffers(it).available(it.ring()));
        if (!Errno.EINVAL.is(available)) { // the kernel may be too old to tell
            assertThat(available).as("buffers that the kernel has").isEqualTo(BUFFERS);
        }
    }
}
