package io.skein.internal.sched;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runnable coroutines in a queue that any thread may add to and take from: the global queue, and what was sent to one
 * worker.
 *
 * <p>It is unbounded, lock-free, and first in, first out. JCTools has no unbounded queue for many consumers in its
 * VarHandle build, so this stands on the JDK's.
 */
final class SharedQueue implements RunQueue.Overflow {
    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();

    /** Counted before an add and after a take, so never below what is there. */
    private final AtomicInteger size = new AtomicInteger();

    @Override
    public void take(Runnable runnable) {
        size.getAndIncrement();
        try {
            queue.add(runnable);
        } catch (Throwable e) { // no memory
            size.getAndDecrement();
            throw e;
        }
    }

    @Override
    public void takeAll(List<Runnable> runnables) {
        int count = runnables.size();
        size.getAndAdd(count);
        try {
            queue.addAll(runnables); // makes all the nodes first, and links them in one go
        } catch (Throwable e) { // no memory
            size.getAndAdd(-count);
            throw e;
        }
    }

    @Nullable
    Runnable poll() {
        Runnable first = queue.poll();
        if (first != null) {
            size.getAndDecrement();
        }
        return first;
    }

    /** Moves up to {@code most} to the end of a worker's own queue, as far as there is room. */
    void moveTo(RunQueue target, int most) {
        int count = Math.min(most, target.room());
        for (int i = 0; i < count; i++) {
            Runnable next = poll();
            if (next == null) {
                return;
            }
            target.push(next);
        }
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return size.get();
    }
}
