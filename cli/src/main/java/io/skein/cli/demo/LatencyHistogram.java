package io.skein.cli.demo;

/**
 * Counts durations in log-linear buckets: exact below 64 ns, within 1/32 of the value above. For one thread
 * at a time; recording allocates nothing.
 *
 * <p>Each power of two is split into 32 buckets of equal width, so a bucket is found with a shift and an
 * addition. Durations of about 18 minutes (2<sup>40</sup> ns) and more share the last bucket.
 */
final class LatencyHistogram {

    /** Buckets per power of two, as a power of two. */
    private static final int SPLIT_BITS = 5;

    private static final int SPLIT = 1 << SPLIT_BITS;

    /** Durations have at most this many bits. */
    private static final int VALUE_BITS = 40;

    private static final long LARGEST = (1L << VALUE_BITS) - 1;

    private final long[] counts = new long[bucketOf(LARGEST) + 1];
    private long count;

    /** Counts one duration; a negative one counts as zero. */
    void record(long nanos) {
        counts[bucketOf(Math.clamp(nanos, 0, LARGEST))]++;
        count++;
    }

    /** Adds everything the other has counted. */
    void add(LatencyHistogram other) {
        for (int bucket = 0; bucket < counts.length; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        count += other.count;
    }

    /** How many durations were counted. */
    long count() {
        return count;
    }

    /**
     * The duration that the given share of all durations does not exceed, as the largest value of its bucket;
     * 0 when nothing was counted.
     *
     * @param share between 0 and 1; 0.5 gives the median
     */
    long quantile(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share " + share + " is not between 0 and 1");
        }
        long wanted = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted) {
                return largestIn(bucket);
            }
        }
        return 0;
    }

    /**
     * Buckets 0 to 63 hold one value each. Above, shifting a value until six bits are left gives a number from
     * 32 to 63, and each shift moves on by 32 buckets.
     */
    private static int bucketOf(long nanos) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(nanos);
        int shift = Math.max(0, bits - SPLIT_BITS - 1);
        return shift * SPLIT + (int) (nanos >>> shift);
    }

    private static long largestIn(int bucket) {
        int shift = Math.max(0, bucket / SPLIT - 1);
        long smallest = (long) (bucket - shift * SPLIT) << shift;
        return smallest + (1L << shift) - 1;
    }
}
