package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

@Setup.Each
class LargeEchoTest extends NetworkTest {
    private static final long TOTAL = 64L << 20;
    private static final int LARGEST_CHUNK = 128 << 10;

    LargeEchoTest(Setup setup) {
        super(setup);
    }

    @Test
    void sixtyFourMebibytesInRandomChunksThroughBuffersOfAllKindsComeBackByteForByte() throws Exception {
        try (EchoServer server = EchoServer.start(skein, LOOPBACK, LargeEchoTest::echoInRandomChunks)) {
            skein.blockOn(() -> {
                try (TcpStream client = TcpStream.connect(server.address())) {
                    Coroutine<?> sender = skein.spawn("sender", () -> sendAll(client));
                    receiveAll(client);
                    sender.join();
                }
            });
        }
    }

    private static void sendAll(TcpStream client) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        Chunks chunks = new Chunks(random);
        long sent = 0;
        while (sent < TOTAL) {
            ByteBuffer chunk = chunks.next(TOTAL - sent);
            int length = chunk.remaining();
            Pattern.fill(chunk.duplicate(), sent);
            ByteBuffer source = random.nextBoolean() ? chunk : chunk.asReadOnlyBuffer();
            client.write(source);
            assertThat(source.hasRemaining()).isFalse();
            sent += length;
        }
        client.shutdownOutput();
    }

    private static void receiveAll(TcpStream client) throws IOException {
        Chunks chunks = new Chunks(new SplittableRandom(2));
        long received = 0;
        while (true) {
            ByteBuffer chunk = chunks.next(LARGEST_CHUNK);
            int start = chunk.position();
            int count = client.read(chunk);
            if (count < 0) {
                break;
            }
            assertThat(chunk.position()).isEqualTo(start + count);
            Pattern.check(chunk.duplicate().position(start).limit(start + count), received);
            received += count;
        }
        assertThat(received).isEqualTo(TOTAL);
    }

    private static void echoInRandomChunks(TcpStream stream) throws IOException {
        Chunks chunks = new Chunks(new SplittableRandom(3));
        while (true) {
            ByteBuffer chunk = chunks.next(LARGEST_CHUNK);
            int start = chunk.position();
            if (stream.read(chunk) < 0) {
                return;
            }
            stream.write(chunk.limit(chunk.position()).position(start));
        }
    }

    /** Hands out parts of a few buffers: direct, heap, and slices of both that start somewhere inside. */
    private static final class Chunks {
        private static final int BIGGEST_OFFSET = 100;

        private final SplittableRandom random;
        private final ByteBuffer[] buffers = {
            ByteBuffer.allocateDirect(LARGEST_CHUNK + BIGGEST_OFFSET),
            ByteBuffer.allocate(LARGEST_CHUNK + BIGGEST_OFFSET),
            ByteBuffer.allocateDirect(LARGEST_CHUNK + 2 * BIGGEST_OFFSET).slice(13, LARGEST_CHUNK + BIGGEST_OFFSET),
            ByteBuffer.allocate(LARGEST_CHUNK + 2 * BIGGEST_OFFSET).slice(13, LARGEST_CHUNK + BIGGEST_OFFSET),
        };

        Chunks(SplittableRandom random) {
            this.random = random;
        }

        /** A part of one of the buffers, of random place and length, at least one and at most {@code limit} bytes. */
        ByteBuffer next(long limit) {
            int longest = (int) Math.min(limit, LARGEST_CHUNK);
            int length = 1 + random.nextInt(random.nextInt(4) == 0 ? Math.min(longest, 64) : longest);
            int offset = random.nextInt(BIGGEST_OFFSET);
            return buffers[random.nextInt(buffers.length)]
                    .clear()
                    .position(offset)
                    .limit(offset + length);
        }
    }
}
