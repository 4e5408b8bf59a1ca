package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Setup;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Several buffers, and arrays. */
@Setup.Each
class VectoredTest extends NetworkTest {
    VectoredTest(Setup setup) {
        super(setup);
    }

    @Test
    void severalBuffersAreWrittenInTheirOrder() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                ByteBuffer direct =
                        ByteBuffer.allocateDirect(6).put(bytes("direct")).flip();
                ByteBuffer[] sources = {
                    bytes("heap "), direct, bytes(""), bytes(" read-only").asReadOnlyBuffer()
                };

                pair.client().write(sources);

                assertThat(receive(pair.server(), 21)).isEqualTo("heap direct read-only");
                for (ByteBuffer source : sources) {
                    assertThat(source.hasRemaining()).isFalse();
                }
            });
        }
    }

    @Test
    void moreThanFitsIntoOneCallIsWrittenCompletely() throws Exception {
        ByteBuffer[] sources = new ByteBuffer[200];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = i % 2 == 0 ? ByteBuffer.allocate(20_000) : ByteBuffer.allocateDirect(30_000);
            Pattern.fill(sources[i], i * 25_000L);
            sources[i].clear();
        }
        int total = 100 * 50_000;
        try (Pair pair = pair()) {
            Coroutine<Integer> reader = skein.spawn("reader", () -> {
                ByteBuffer target = ByteBuffer.allocateDirect(total);
                pair.server().readFully(target);
                target.flip();
                for (ByteBuffer source : sources) {
                    assertThat(target.slice(target.position(), source.capacity()))
                            .isEqualTo(source.duplicate().clear());
                    target.position(target.position() + source.capacity());
                }
                return target.position();
            });
            skein.blockOn(() -> pair.client().write(sources));
            assertThat(reader.join()).isEqualTo(total);
        }
    }

    @Test
    void severalBuffersAreFilledInTheirOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("hello world");
            skein.blockOn(() -> {
                ByteBuffer first = ByteBuffer.allocate(3);
                ByteBuffer full = ByteBuffer.allocate(0);
                ByteBuffer second = ByteBuffer.allocateDirect(100);
                long count = 0;
                while (count < 11) {
                    count += pair.stream().read(first, full, second);
                }

                assertThat(text(first)).isEqualTo("hel");
                assertThat(text(second)).isEqualTo("lo world");
            });
        }
    }

    @Test
    void aVectoredReadDoesNotWaitOnceItHasSomething() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("abc");
            skein.blockOn(() -> {
                ByteBuffer first = ByteBuffer.allocate(3);
                ByteBuffer second = ByteBuffer.allocate(3);

                assertThat(pair.stream().read(first, second)).isEqualTo(3);
            });
        }
    }

    @Test
    void aVectoredReadTellsTheEnd() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peer().shutdownOutput();
            skein.blockOn(() -> {
                assertThat(pair.stream().read(ByteBuffer.allocate(3), ByteBuffer.allocate(3)))
                        .isEqualTo(-1);
                assertThat(pair.stream().read(new ByteBuffer[0])).isZero();
            });
        }
    }

    @Test
    void buffersOfAConfinedArenaServeToo() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    ByteBuffer source =
                            arena.allocate(5).asByteBuffer().put(bytes("hello")).flip();
                    pair.client().write(source, bytes(" world"));
                    ByteBuffer target = arena.allocate(11).asByteBuffer();
                    while (target.hasRemaining()) {
                        pair.server().read(target, ByteBuffer.allocate(1));
                    }
                    assertThat(text(target)).isEqualTo("hello world");
                }
            });
        }
    }

    @Test
    void aReadOnlyTargetIsRefused() throws Exception {
        try (Pair pair = pair()) {
            ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
            assertThatExceptionOfType(ReadOnlyBufferException.class)
                    .isThrownBy(() -> pair.client().read(ByteBuffer.allocate(1), readOnly));
        }
    }

    @Test
    void arraysAndPartsOfArraysGoBothWays() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().write("hello".getBytes(StandardCharsets.UTF_8));
                pair.client().write("..world..".getBytes(StandardCharsets.UTF_8), 2, 5);
                byte[] target = new byte[12];
                for (int count = 1; count < 11; ) {
                    count += pair.server().read(target, count, 11 - count);
                }
                assertThat(new String(target, StandardCharsets.UTF_8)).isEqualTo("\0helloworld\0");
                pair.client().write(new byte[] {7});
                assertThat(pair.server().read(target)).isEqualTo(1);
                assertThat(target[0]).isEqualTo((byte) 7);
            });
        }
    }

    @Test
    void otherThreadsMayDoAllOfThat() throws Exception {
        try (Pair pair = pair()) {
            pair.client().write(bytes("hello "), bytes("world"));
            ByteBuffer target = ByteBuffer.allocate(11);
            pair.server().readFully(target);
            assertThat(text(target)).isEqualTo("hello world");
        }
    }

    @Test
    void readFullyTellsOfAnEndThatComesTooSoon() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("abc");
            pair.peer().shutdownOutput();
            skein.blockOn(() -> {
                ByteBuffer target = ByteBuffer.allocate(5);
                assertThatExceptionOfType(EOFException.class)
                        .isThrownBy(() -> pair.stream().readFully(target))
                        .withMessageContaining("2 bytes");
                assertThat(target.position()).isEqualTo(3);
            });
        }
    }

    private static String text(ByteBuffer filled) throws IOException {
        return StandardCharsets.UTF_8.newDecoder().decode(filled.flip()).toString();
    }
}
