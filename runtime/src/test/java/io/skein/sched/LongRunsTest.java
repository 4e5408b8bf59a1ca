package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.internal.Budget;
import io.skein.internal.loom.Loom;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One worker, and coroutines that compute for long before they give way: a connection waits for each of them once, not for a batch. */
@Mode.OneWorker
class LongRunsTest extends ModeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final int COMPUTING = 20;
    private static final int ROUNDS = 21;

    private final AtomicBoolean writeNow = new AtomicBoolean();
    private final AtomicBoolean over = new AtomicBoolean();

    /** How often one of those that compute has run. One worker runs everybody. */
    private int runs;

    private int runsAtWrite;

    LongRunsTest(Mode mode) {
        super(mode);
    }

    @BeforeEach
    void needsWorkersOfOurOwn() {
        assumeTrue(Loom.available(), "without the flags the JDK's scheduler decides who runs");
    }

    @Test
    void whatArrivesIsSeenBetweenTwoOfThem() throws Exception {
        List<Integer> waited = skein.blockOn(() -> {
            List<Integer> runsFromWriteToRead = new ArrayList<>();
            try (TcpListener listener = TcpListener.bind(ANY_PORT);
                    SocketChannel peer = SocketChannel.open(listener.localAddress());
                    TcpStream stream = listener.accept()) {
                List<Coroutine<?>> computing = new ArrayList<>();
                for (int i = 0; i < COMPUTING; i++) {
                    computing.add(skein.spawn(() -> compute(peer)));
                }
                for (int round = 0; round < ROUNDS; round++) {
                    writeNow.set(true);
                    assertThat(stream.read(ByteBuffer.allocate(1))).isEqualTo(1);
                    runsFromWriteToRead.add(runs - runsAtWrite);
                }
                over.set(true);
                for (Coroutine<?> one : computing) {
                    one.join();
                }
            }
            return runsFromWriteToRead;
        });

        Collections.sort(waited);
        assertThat(waited.get(ROUNDS / 2))
                .isLessThan(2 * COMPUTING - 5); // a whole batch before each turn would be 30 more
    }

    @SuppressWarnings("ThreadPriorityCheck") // to give way is what they do in the end
    private void compute(SocketChannel peer) throws Exception {
        while (!over.get()) {
            if (writeNow.compareAndSet(true, false)) {
                runsAtWrite = runs;
                peer.write(ByteBuffer.allocate(1));
            }
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < 2 * Budget.SLICE_NANOS) {
                Thread.onSpinWait();
            }
            runs++;
            Thread.yield();
        }
    }
}
