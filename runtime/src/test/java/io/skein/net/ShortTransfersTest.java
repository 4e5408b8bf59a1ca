package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Setup;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A peer with the smallest buffers there are, that takes and gives a few bytes at a time. */
@Setup.Each
class ShortTransfersTest extends NetworkTest {
    private static final int TOTAL = 60_000;

    ShortTransfersTest(Setup setup) {
        super(setup);
    }

    private static Socket narrowSocket() throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1); // the kernel makes the least of it that it can
        socket.setSendBufferSize(1);
        socket.setTcpNoDelay(true);
        return socket;
    }

    @Test
    void whatIsSentInPartsArrivesWhole() throws Exception {
        for (ByteBuffer source : new ByteBuffer[] {ByteBuffer.allocateDirect(TOTAL), ByteBuffer.allocate(TOTAL)}) {
            Pattern.fill(source, 0);
            try (PlainPair pair = plainPair(narrowSocket())) {
                Coroutine<?> writer = skein.spawn("writer", () -> pair.stream().write(source.flip()));
                InputStream in = pair.peer().getInputStream();
                byte[] part = new byte[700];
                for (int received = 0; received < TOTAL; ) {
                    int count = in.read(part, 0, Math.min(part.length, TOTAL - received));
                    assertThat(count).isPositive();
                    Pattern.check(ByteBuffer.wrap(part, 0, count), received);
                    received += count;
                }
                writer.join();
                assertThat(source.hasRemaining()).isFalse();
            }
        }
    }

    @Test
    void whatIsReceivedInPartsIsWhole() throws Exception {
        for (int room : new int[] {1000, 100_000}) {
            try (PlainPair pair = plainPair(narrowSocket())) {
                Coroutine<?> reader = skein.spawn("reader", () -> {
                    ByteBuffer target = ByteBuffer.allocateDirect(room);
                    for (int received = 0; received < TOTAL; received += target.limit()) {
                        pair.stream().read(target.clear());
                        Pattern.check(target.flip(), received);
                    }
                });
                OutputStream out = pair.peer().getOutputStream();
                ByteBuffer part = ByteBuffer.allocate(77);
                for (int sent = 0; sent < TOTAL; sent += part.limit()) {
                    Pattern.fill(part.clear().limit(Math.min(part.capacity(), TOTAL - sent)), sent);
                    out.write(part.array(), 0, part.limit());
                }
                reader.join();
            }
        }
    }
}
