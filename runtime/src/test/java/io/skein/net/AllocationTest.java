package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.DriverKind;
import io.skein.LeakCheck;
import io.skein.Setup;
import io.skein.Skein;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In the steady state a server allocates next to nothing. The JIT compiler hides some allocations, and which ones depends
 * on what else has run: this is measured without escape analysis (runtime/pom.xml), and each kind of buffer after both
 * were in use. A garbage collection is followed by a short burst, so the median of several windows counts.
 */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class AllocationTest {
    private static final int MESSAGE = 1024;
    private static final int WARM_UP = 15_000;
    private static final int WINDOWS = 7;
    private static final int ROUND_TRIPS = 2_000;
    private static final double MOST_BYTES_PER_ROUND_TRIP = 32;

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void anEchoThroughADirectBufferAllocatesAtMostThirtyTwoBytes(DriverKind driver) throws Exception {
        Supplier<ByteBuffer> direct = () -> ByteBuffer.allocateDirect(MESSAGE);
        Supplier<ByteBuffer> heap = () -> ByteBuffer.allocate(MESSAGE);

        assertThat(medianBytesPerRoundTrip(driver, List.of(heap, direct)))
                .isLessThanOrEqualTo(MOST_BYTES_PER_ROUND_TRIP);
    }

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void anEchoThroughAHeapBufferAllocatesAtMostThirtyTwoBytes(DriverKind driver) throws Exception {
        Supplier<ByteBuffer> direct = () -> ByteBuffer.allocateDirect(MESSAGE);
        Supplier<ByteBuffer> heap = () -> ByteBuffer.allocate(MESSAGE);

        assertThat(medianBytesPerRoundTrip(driver, List.of(direct, heap)))
                .isLessThanOrEqualTo(MOST_BYTES_PER_ROUND_TRIP);
    }

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void timeoutsChangeNothingAboutThat(DriverKind driver) throws Exception {
        Supplier<ByteBuffer> direct = () -> ByteBuffer.allocateDirect(MESSAGE);

        assertThat(medianBytesPerRoundTrip(driver, List.of(direct), Duration.ofMinutes(1)))
                .isLessThanOrEqualTo(MOST_BYTES_PER_ROUND_TRIP);
    }

    private static double medianBytesPerRoundTrip(DriverKind driver, List<Supplier<ByteBuffer>> kinds)
            throws Exception {
        return medianBytesPerRoundTrip(driver, kinds, Duration.ZERO);
    }

    /** Measures the last of some kinds of buffer, after all of them were warmed up in this order. */
    private static double medianBytesPerRoundTrip(DriverKind driver, List<Supplier<ByteBuffer>> kinds, Duration timeout)
            throws Exception {
        Queue<Supplier<ByteBuffer>> left = new ConcurrentLinkedQueue<>(kinds);
        double median = Double.NaN;
        try (Skein skein = new Setup(driver, 1, 0).builder().name("allocating").start();
                EchoServer server = EchoServer.start(skein, NetworkTest.LOOPBACK, stream -> {
                    stream.readTimeout(timeout);
                    stream.writeTimeout(timeout);
                    echo(stream, left.remove().get());
                })) {
            AllocationCounter worker = AllocationCounter.ofThreadNamed("allocating");
            for (int kind = 0; kind < kinds.size(); kind++) {
                try (SocketChannel client = SocketChannel.open(server.address())) {
                    ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
                    roundTrips(client, message, WARM_UP);
                    if (kind == kinds.size() - 1) {
                        median = medianOfWindows(worker, client, message);
                    }
                }
            }
        }
        return median;
    }

    private static double medianOfWindows(AllocationCounter worker, SocketChannel client, ByteBuffer message)
            throws IOException {
        double[] perRoundTrip = new double[WINDOWS];
        for (int window = 0; window < WINDOWS; window++) {
            long before = worker.bytes();
            roundTrips(client, message, ROUND_TRIPS);
            perRoundTrip[window] = (double) (worker.bytes() - before) / ROUND_TRIPS;
        }
        Arrays.sort(perRoundTrip);
        return perRoundTrip[WINDOWS / 2];
    }

    private static void echo(TcpStream stream, ByteBuffer buffer) throws IOException {
        while (stream.read(buffer) >= 0) {
            stream.write(buffer.flip());
            buffer.clear();
        }
    }

    private static void roundTrips(SocketChannel client, ByteBuffer message, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            message.clear();
            while (message.hasRemaining()) {
                client.write(message);
            }
            message.clear();
            while (message.hasRemaining()) {
                if (client.read(message) < 0) {
                    throw new IOException("the server hung up");
                }
            }
        }
    }
}
