package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.linux.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeBuffersTest {
    private static List<Long> take(NativeBuffers pool, int count) {
        List<Long> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(pool.take());
        }
        return buffers;
    }

    @Test
    void aBufferThatWasGivenBackIsTakenAgain() {
        NativeBuffers pool = new NativeBuffers(false);
        Long first = pool.take();
        pool.giveBack(first);

        assertThat(pool.take()).isEqualTo(first);
        assertThat(pool.allocated()).isEqualTo(1);

        pool.giveBack(first);
        pool.close();
    }

    @Test
    void buffersInUseAreDifferentOnes() {
        NativeBuffers pool = new NativeBuffers(true);
        List<Long> buffers = take(pool, 50);
        for (int i = 0; i < NativeBuffers.IN_SLAB + 5; i++) {
            buffers.add(pool.takeForFile());
        }
        assertThat(new HashSet<>(buffers)).hasSameSizeAs(buffers);
        for (Long buffer : buffers) {
            Memory.plainByte(buffer, (byte) 1);
            Memory.plainByte(buffer + NativeBuffers.SIZE - 1, (byte) 1);
        }
        buffers.forEach(pool::giveBack);
        pool.close();
    }

    @Test
    void noMoreAreKeptThanTheBound() {
        NativeBuffers pool = new NativeBuffers(false);
        List<Long> buffers = take(pool, NativeBuffers.KEPT + 10);
        assertThat(pool.allocated()).isEqualTo(NativeBuffers.KEPT + 10);

        buffers.forEach(pool::giveBack);

        assertThat(pool.allocated()).isEqualTo(NativeBuffers.KEPT);
        pool.close();
    }

    @Test
    void afterTheCloseNothingIsLeft() {
        NativeBuffers pool = new NativeBuffers(true);
        take(pool, 10).forEach(pool::giveBack);
        pool.giveBack(pool.takeForFile());

        pool.close();

        assertThat(pool.allocated()).isZero();
    }

    @Test
    void filesTakeFromTheSlabFirstAndGiveBackToIt() {
        NativeBuffers pool = new NativeBuffers(true);
        List<Long> buffers = new ArrayList<>();
        for (int i = 0; i <= NativeBuffers.IN_SLAB; i++) {
            buffers.add(pool.takeForFile());
        }
        assertThat(buffers.subList(0, NativeBuffers.IN_SLAB)).allMatch(pool::isInSlab);
        assertThat(pool.isInSlab(buffers.getLast())).isFalse();

        buffers.forEach(pool::giveBack);

        assertThat(pool.isInSlab(pool.takeForFile())).isTrue();
        assertThat(pool.isInSlab(pool.take())).isFalse();
        pool.close();
    }

    @Test
    void withoutASlabNothingIsInIt() {
        NativeBuffers pool = new NativeBuffers(false);

        assertThat(pool.isInSlab(0)).isFalse();
        assertThat(pool.isInSlab(pool.takeForFile())).isFalse();
    }
}
