package io.skein.internal.sched;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The coroutines of a scope that may still live. Any thread may call it; it is lock-free.
 *
 * <p>A stack, onto which any thread pushes. Those that have ended are taken out when they are many, by one thread at a time:
 * whoever pushes then and gets {@code sweeping}. The top is never taken out, so that a sweep does not meet a push; who goes
 * through the list meanwhile may still see one that was taken out, which has ended.
 */
final class Children {
    /** So many that have ended may stay, whatever else is there. */
    private static final int SLACK = 32;

    private static final class Entry {
        private final SpawnedCoroutine<?> coroutine;
        private volatile @Nullable Entry below;

        /** About how many there are from here down. */
        private int height;

        Entry(SpawnedCoroutine<?> coroutine) {
            this.coroutine = coroutine;
        }
    }

    private final AtomicReference<@Nullable Entry> top = new AtomicReference<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /**
     * Adds one.
     *
     * @param living how many live at the moment
     */
    void push(SpawnedCoroutine<?> coroutine, int living) {
        Entry entry = new Entry(coroutine);
        Entry below;
        do {
            below = top.get();
            entry.below = below;
            entry.height = below == null ? 1 : below.height + 1;
        } while (!top.compareAndSet(below, entry));
        if (entry.height > SLACK + 2 * living && sweeping.compareAndSet(false, true)) {
            sweep(entry);
            sweeping.set(false);
        }
    }

    private static void sweep(Entry from) {
        int kept = 0;
        for (Entry entry = from; entry != null; entry = entry.below) {
            Entry next = entry.below;
            while (next != null && next.coroutine.isDone()) {
                next = next.below;
            }
            entry.below = next;
            kept++;
        }
        from.height = kept;
    }

    void forEach(Consumer<SpawnedCoroutine<?>> action) {
        for (Entry entry = top.get(); entry != null; entry = entry.below) {
            action.accept(entry.coroutine);
        }
    }
}
