package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
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
                check(target.flip(), received);
                received += count;
            }
            assertThat(received).isEqualTo(TOTAL);
        }

        /** As {@link #readAll}, from what is lent; some is kept for a while. */
        void receiveAll(LoneDriver driver) {
            ArrayDeque<Loan> kept = new ArrayDeque<>();
            int received = 0;
            for (int count = take.read(driver, Deadline.NONE, leases);
                    count > 0;
                    count = take.read(driver, Deadline.NONE, leases)) {
                Loan loan = Objects.requireNonNull(take.lent());
                assertThat(loan.bytes().remaining()).isEqualTo(count);
                check(loan.bytes(), received);
                received += count;
                kept.add(loan);
                if (kept.size() > 3) {
                    kept.remove().giveBack();
                }
            }
            kept.forEach(Loan::giveBack);
            assertThat(received).isEqualTo(TOTAL);
        }

        private void check(ByteBuffer bytes, int offset) {
            for (int i = 0; i < bytes.limit(); i++) {
                if (bytes.get(i) != due(offset + i)) {
                    throw new AssertionError("byte " + (offset + i) + " is wrong");
                }
            }
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
    private final LeasePool leases = new LeasePool();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereBuffersRunOutEveryByteArrivesAndNoBufferIsLost(boolean shared) throws Exception {
        expectAllToArrive(shared, Stream::readAll);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereBuffersRunOutEveryByteIsLentAndNoBufferIsLost(boolean shared) throws Exception {
        expectAllToArrive(shared, Stream::receiveAll);
    }

    private void expectAllToArrive(boolean shared, BiConsumer<Stream, LoneDriver> reading) throws Exception {
        try (LoneDriver driver = new LoneDriver(64, 256, BUFFERS, shared);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Stream> streams = streams();
            List<Future<?>> ends = new ArrayList<>();
            for (Stream stream : streams) {
                ends.add(threads.submit(() -> reading.accept(stream, driver)));
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
