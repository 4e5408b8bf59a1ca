package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SendBuffersTest {
    private final SendBuffers buffers = new SendBuffers();

    @AfterEach
    void free() {
        buffers.free();
    }

    @Test
    void theOneGivenBackLastIsTakenFirst() {
        long first = buffers.take();
        long second = buffers.take();
        buffers.giveBack(first);
        buffers.giveBack(second);

        assertThat(buffers.take()).isEqualTo(second);
        assertThat(buffers.take()).isEqualTo(first);
    }

    @Test
    void anyByteInABufferGivesItBack() {
        List<Long> all = takeAll();
        for (int offset : new int[] {0, 1, SendBuffers.SIZE / 2, SendBuffers.SIZE - 1}) {
            all.forEach(buffer -> buffers.giveBack(buffer + offset));
            assertThat(takeAll()).as("given back at %d", offset).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    private List<Long> takeAll() {
        return LongStream.generate(buffers::take)
                .takeWhile(buffer -> buffer != SendBuffers.NONE)
                .boxed()
                .toList();
    }

    @Test
    void noneOverlapsAnother() {
        Set<Long> taken = new HashSet<>();
        for (int i = 0; i < SendBuffers.COUNT; i++) {
            long buffer = buffers.take();
            assertThat(taken).noneMatch(other -> Math.abs(other - buffer) < SendBuffers.SIZE);
            taken.add(buffer);
        }
    }

    @Test
    void whenAllAreTakenThereIsNone() {
        for (int i = 0; i < SendBuffers.COUNT; i++) {
            assertThat(buffers.take()).isNotEqualTo(SendBuffers.NONE);
        }
        assertThat(buffers.take()).isEqualTo(SendBuffers.NONE);
        assertThat(buffers.lent()).isEqualTo(SendBuffers.COUNT);
    }

    @Test
    void lentAreThoseThatWereNotGivenBack() {
        assertThat(buffers.lent()).isZero();
        long first = buffers.take();
        long second = buffers.take();
        assertThat(buffers.lent()).isEqualTo(2);
        buffers.giveBack(first);
        buffers.giveBack(second);
        assertThat(buffers.lent()).isZero();
    }
}
