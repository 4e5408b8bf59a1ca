package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * An endless stream of bytes that is the same each time. Its period is a prime, so bytes that were lost, doubled or
 * swapped never look right again. Immutable.
 */
final class Pattern {
    private static final int PERIOD = 1_048_573;
    private static final byte[] BYTES = new byte[2 * PERIOD];

    static {
        byte[] period = new byte[PERIOD];
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20);
        random.nextBytes(period);
        System.arraycopy(period, 0, BYTES, 0, PERIOD);
        System.arraycopy(period, 0, BYTES, PERIOD, PERIOD);
    }

    private Pattern() {}

    /** Fills the remaining bytes of {@code target}, at most one period, with what is due at {@code offset}. */
    static void fill(ByteBuffer target, long offset) {
        target.put(BYTES, (int) (offset % PERIOD), target.remaining());
    }

    /** Fails unless the remaining bytes of {@code actual} are what is due at {@code offset}. */
    static void check(ByteBuffer actual, long offset) {
        ByteBuffer expected = ByteBuffer.wrap(BYTES, (int) (offset % PERIOD), actual.remaining());
        int mismatch = expected.mismatch(actual);
        assertThat(mismatch)
                .withFailMessage(() -> "byte " + (offset + mismatch) + " of the stream is wrong")
                .isEqualTo(-1);
    }
}
