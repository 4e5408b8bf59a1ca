package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A peer that takes little at a time, so that the kernel takes only a part of what is written. */
@Setup.Each
class SlowPeerTest extends NetworkTest {
    private static final int TOTAL = 8 << 20;

    SlowPeerTest(Setup setup) {
        super(setup);
    }

    @Test
    void aWriteReturnsOnlyWhenEverythingIsWritten() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                ByteBuffer source = pattern(ByteBuffer.allocateDirect(TOTAL));
                pair.stream().write(source);
                assertThat(source.hasRemaining()).isFalse();
            });
            Await.untilWaiting(writer);
            assertThat(writer.isDone()).isFalse();

            readPattern(pair.peer());

            writer.join();
        }
    }

    @Test
    void aHeapBufferIsWrittenCompletelyToo() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                ByteBuffer source = pattern(ByteBuffer.allocate(TOTAL)).asReadOnlyBuffer();
                pair.stream().write(source);
                assertThat(source.hasRemaining()).isFalse();
            });
            Await.untilWaiting(writer);

            readPattern(pair.peer());

            writer.join();
        }
    }

    @Test
    void aSlowPeerDoesNotHoldTheOthersUp() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK);
                PlainPair slow = plainPair(narrowSocket())) {
            Coroutine<?> writer =
                    skein.spawn("writer", () -> slow.stream().write(pattern(ByteBuffer.allocateDirect(TOTAL))));
            Await.untilWaiting(writer);

            skein.blockOn(() -> {
                try (TcpStream quick = TcpStream.connect(server.address())) {
                    for (int i = 0; i < 100; i++) {
                        send(quick, "hello");
                        assertThat(receive(quick, 5)).isEqualTo("hello");
                    }
                }
            });

            assertThat(writer.isDone()).isFalse();
            readPattern(slow.peer());
            writer.join();
        }
    }

    private static Socket narrowSocket() throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        return socket;
    }

    private static ByteBuffer pattern(ByteBuffer buffer) {
        int chunk = 1 << 19;
        for (int offset = 0; offset < buffer.capacity(); offset += chunk) {
            Pattern.fill(buffer.slice(offset, Math.min(chunk, buffer.capacity() - offset)), offset);
        }
        return buffer;
    }

    private static void readPattern(Socket peer) throws Exception {
        InputStream in = peer.getInputStream();
        byte[] chunk = new byte[3000];
        int received = 0;
        while (received < TOTAL) {
            int count = in.read(chunk);
            assertThat(count).isPositive();
            Pattern.check(ByteBuffer.wrap(chunk, 0, count), received);
            received += count;
        }
    }
}
