package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Setup;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

@Setup.Each
class BufferTest extends NetworkTest {
    BufferTest(Setup setup) {
        super(setup);
    }

    @Test
    void readingAdvancesThePositionByWhatWasReadAndLeavesTheLimit() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                for (ByteBuffer target : emptyBuffers(20)) {
                    send(pair.client(), "hello");
                    target.position(3).limit(17);

                    int count = pair.server().read(target);

                    assertThat(count).isEqualTo(5);
                    assertThat(target.position()).isEqualTo(8);
                    assertThat(target.limit()).isEqualTo(17);
                }
            });
        }
    }

    @Test
    void readingTouchesNoByteOutsideOfWhatWasRead() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                for (ByteBuffer target : emptyBuffers(12)) {
                    send(pair.client(), "hello");

                    pair.server().read(target.position(2).limit(10));

                    byte[] content = new byte[12];
                    target.clear().get(content);
                    assertThat(content).asString(StandardCharsets.UTF_8).isEqualTo("\0\0hello\0\0\0\0\0");
                }
            });
        }
    }

    @Test
    void readingTakesNoMoreThanTheBufferHasRoomFor() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                send(pair.client(), "hello world");
                ByteBuffer target = ByteBuffer.allocate(100).position(10).limit(15);

                assertThat(pair.server().read(target)).isEqualTo(5);
                assertThat(target.hasRemaining()).isFalse();
                assertThat(receive(pair.server(), 6)).isEqualTo(" world");
            });
        }
    }

    @Test
    void writingSendsWhatIsBetweenPositionAndLimitAndMovesThePositionToTheLimit() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                for (ByteBuffer buffer : emptyBuffers(20)) {
                    ByteBuffer source = buffer.put(bytes("..hello......"))
                            .position(2)
                            .limit(7)
                            .order(ByteOrder.LITTLE_ENDIAN);

                    pair.client().write(source);

                    assertThat(source.position()).isEqualTo(7);
                    assertThat(source.limit()).isEqualTo(7);
                    assertThat(source.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
                    assertThat(receive(pair.server(), 5)).isEqualTo("hello");
                }
            });
        }
    }

    @Test
    void aReadOnlyBufferCanBeWritten() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                for (ByteBuffer buffer : emptyBuffers(5)) {
                    ByteBuffer source = buffer.put(bytes("hello")).flip().asReadOnlyBuffer();

                    pair.client().write(source);

                    assertThat(source.hasRemaining()).isFalse();
                    assertThat(receive(pair.server(), 5)).isEqualTo("hello");
                }
            });
        }
    }

    @Test
    void aReadOnlyBufferIsNoTarget() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                send(pair.client(), "hello");
                for (ByteBuffer buffer : emptyBuffers(5)) {
                    assertThatThrownBy(() -> pair.server().read(buffer.asReadOnlyBuffer()))
                            .isInstanceOfAny(IllegalArgumentException.class, ReadOnlyBufferException.class);
                }

                assertThat(receive(pair.server(), 5)).isEqualTo("hello");
            });
        }
    }

    @Test
    void writingABufferWithoutBytesSendsNothing() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                for (ByteBuffer empty : emptyBuffers(0)) {
                    pair.client().write(empty);
                }
                send(pair.client(), "after");

                assertThat(receive(pair.server(), 5)).isEqualTo("after");
            });
        }
    }

    @Test
    void readingIntoABufferWithoutRoomReturnsZeroAtOnce() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                for (ByteBuffer full : emptyBuffers(0)) {
                    assertThat(pair.server().read(full)).isZero();
                }
                send(pair.client(), "kept");
                assertThat(pair.server().read(ByteBuffer.allocate(4).position(4)))
                        .isZero();

                assertThat(receive(pair.server(), 4)).isEqualTo("kept");
            });
        }
    }

    @Test
    void theMemoryOfAnArenaIsReadAndWritten() throws Exception {
        try (Pair pair = pair();
                Arena arena = Arena.ofShared()) {
            skein.blockOn(() -> {
                ByteBuffer source = arena.allocate(5).asByteBuffer().put(bytes("hello"));
                ByteBuffer target = arena.allocate(5).asByteBuffer();

                pair.client().write(source.flip());
                while (target.hasRemaining()) {
                    pair.server().read(target);
                }

                assertThat(target.flip()).isEqualTo(bytes("hello"));
            });
        }
    }

    @Test
    void theMemoryOfACoroutinesOwnArenaIsReadAndWritten() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    ByteBuffer source = arena.allocate(5).asByteBuffer().put(bytes("hello"));
                    ByteBuffer target = arena.allocate(5).asByteBuffer();

                    pair.client().write(source.flip());
                    while (target.hasRemaining()) {
                        pair.server().read(target);
                    }

                    assertThat(target.flip()).isEqualTo(bytes("hello"));
                }
            });
        }
    }

    @Test
    void noBufferIsANullPointer() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                assertThatNullPointerException().isThrownBy(() -> pair.server().read(BufferTest.<ByteBuffer>nothing()));
                assertThatNullPointerException()
                        .isThrownBy(() -> pair.client().write(BufferTest.<ByteBuffer>nothing()));
            });
        }
    }

    private static List<ByteBuffer> emptyBuffers(int size) {
        return List.of(
                ByteBuffer.allocateDirect(size),
                ByteBuffer.allocate(size),
                ByteBuffer.allocateDirect(size + 10).slice(7, size),
                ByteBuffer.allocate(size + 10).slice(7, size));
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }
}
