package io.skein.bench;

/** The bytes of the heap that are in use, for benchmarks of memory. */
public final class UsedHeap {
    private static final int COLLECTIONS = 4;

    private UsedHeap() {}

    /**
     * What is left after several collections, of which the least counts: what another thread holds for a moment, or what
     * only a second collection sets free, would be taken for something that lasts.
     */
    public static long bytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
