package io.skein;

import java.util.List;

/**
 * What a runtime has done so far and has before it: a snapshot, taken while it ran, so its numbers need not agree to the
 * last one.
 *
 * @param liveCoroutines coroutines that were spawned and have not ended, threads that libraries started in them included
 * @param globalQueueLength coroutines that wait for any worker
 * @param workers each worker's numbers
 * @param sockets sockets of {@code java.net} that libraries were handed
 */
public record Metrics(long liveCoroutines, int globalQueueLength, List<Worker> workers, Sockets sockets) {
    /**
     * Sockets and socket channels that libraries were handed.
     *
     * @param own how many were this runtime's: made by its factories, or accepted
     * @param ordinary how many were the JDK's own, because {@link io.skein.net.SkeinSocketFactory} found no runtime
     *     to make them; of all the process
     */
    public record Sockets(long own, long ordinary) {}

    /**
     * One worker's numbers.
     *
     * @param runs how often it ran a coroutine, until that gave way or ended
     * @param steals how often it took coroutines from another worker
     * @param overflows how often its queue was full and spilled
     * @param sleeps how often it found nothing to do and slept
     * @param wakeUps how many of its sleeps another thread ended
     * @param queueLength coroutines that wait for it
     * @param turns how many turns of its loop it has made
     * @param enters how often its driver has called the kernel to submit, to look and to sleep: {@code io_uring_enter}, or a
     *     selector's look
     */
    public record Worker(
            long runs,
            long steals,
            long overflows,
            long sleeps,
            long wakeUps,
            int queueLength,
            long turns,
            long enters) {}
}
