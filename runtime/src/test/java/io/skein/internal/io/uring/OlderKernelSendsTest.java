package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.internal.io.ConnectPlan;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends of a kernel that sends as much as there is room for and leaves it at that, as Linux 5.15 does. It is imitated by a probe that
 * tells what 5.15 tells: then this kernel is not asked to send the whole, and cuts sends short too.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("rings")
class OlderKernelSendsTest extends RuntimeTest {
    /** Small enough to be sent while its writer goes on. */
    private static final int WRITE = 4000;

    /** How much room there is for it. */
    private static final int LEFT = 1500;

    /** More than there is ever room for. */
    private static final int MUCH = 16 << 20;

    private static final int CONNECTIONS = 5;
    private static final long MOMENT = TimeUnit.SECONDS.toNanos(1);

    OlderKernelSendsTest(Setup setup) {
        super(setup);
    }

    static Stream<Setup> rings() {
        return Setup.all().filter(setup -> setup.driver() == DriverKind.URING);
    }

    /** What Linux 5.15 tells: the last operation that it has is {@code LINKAT}. */
    private static UringProbe linux515() throws IOException {
        List<String> operations = KernelNames.OPERATIONS.subList(0, Abi.IORING_OP_LINKAT + 1);
        return new UringProbe(List.of("CQSIZE", "CLAMP"), UringProbe.run().features(), operations, false);
    }

    @Test
    void aKernelBefore519SendsNothingWhole() throws Exception {
        assertThat(linux515().wholeSends()).isFalse();
        assertThat(linux515().standingAccepts()).isFalse();
        assertThat(linux515().receiveHints()).isFalse();
        assertThat(linux515().inflows()).isFalse();
    }

    /**
     * A connection of the JDK's shows how much there is room for, and another one that a send is cut short when there is room for a
     * part of it. The next is the stream's.
     */
    @Test
    void aSmallWriteIntoANearlyFullSocketAndACloseLoseNothing() throws Exception {
        UringBackend backend = new UringBackend(8, linux515(), false);
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
            int cut = 0;
            for (int i = 0; i < CONNECTIONS; i++) {
                int capacity = send(listener, ByteBuffer.allocateDirect(MUCH));
                ByteBuffer most = ByteBuffer.allocateDirect(capacity - LEFT);
                if (send(listener, most, ByteBuffer.allocateDirect(WRITE)) < most.capacity() + WRITE) {
                    cut++;
                }
                writeAndClose(backend, listener, most.clear());
            }
            assertThat(cut).as("connections where a send is cut short").isPositive();
        } finally {
            backend.close();
        }
    }

    /** Sends as much as goes without waiting for the peer, and returns how much that is. */
    private static int send(ServerSocket listener, ByteBuffer... sources) throws IOException {
        try (SocketChannel channel = SocketChannel.open(listener.getLocalSocketAddress());
                Socket _ = listener.accept()) {
            channel.configureBlocking(false);
            int sent = 0;
            for (ByteBuffer source : sources) {
                sent += channel.write(source);
            }
            return sent;
        }
    }

    private void writeAndClose(UringBackend backend, ServerSocket listener, ByteBuffer most) throws Exception {
        Scheduler scheduler = SchedulerAccess.of(skein);
        ConnectPlan plan = new ConnectPlan(listener.getLocalSocketAddress(), null, List.of(), Deadline.NONE);
        AtomicBoolean nearlyFull = new AtomicBoolean();
        Coroutine<Integer> writer = skein.spawn("writer", () -> {
            StreamSocket stream = backend.connect(scheduler, plan);
            try {
                stream.write(most, MOMENT);
                nearlyFull.set(true);
                stream.write(ByteBuffer.allocate(WRITE), Deadline.NONE);
                return most.position() + WRITE;
            } catch (SocketTimeoutException e) { // less room than there was before
                return most.position();
            } finally {
                stream.close();
            }
        });
        try (Socket peer = listener.accept()) {
            Await.until(
                    "the writer waits or is done", () -> writer.isDone() || (nearlyFull.get() && isWaiting(writer)));
            long received = readAll(peer);
            assertThat(received).isEqualTo((long) writer.get());
        }
    }

    private static boolean isWaiting(Coroutine<?> coroutine) {
        return coroutine.thread().getState() == Thread.State.WAITING;
    }

    private static long readAll(Socket peer) throws IOException {
        InputStream in = peer.getInputStream();
        byte[] part = new byte[30_000];
        long received = 0;
        for (int count = in.read(part); count >= 0; count = in.read(part)) {
            received += count;
        }
        return received;
    }
}
