package io.skein.internal.sched;

import io.skein.Resumer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The children of a scope that may still live, and those that have failed since the owner last heard of them. Any thread may
 * call it, except a worker outside of coroutines: the failures have a monitor.
 *
 * <p>The living are a stack, onto which any thread pushes. Those that have ended are taken out when they are many, by one
 * thread at a time: whoever pushes then and gets {@code sweeping}. The top is never taken out, so that a sweep does not meet a
 * push; who goes through the stack meanwhile may still see one that was taken out, which has ended.
 */
final class Children {
    /** So many that have ended may stay, whatever else is there. */
    private static final int SLACK = 32;

    /** A child and its place in the stack. Told when the child ends. */
    static final class Child implements Resumer {
        private final OpenScope scope;
        private final SpawnedCoroutine<?> coroutine;

        /** Plain: the push publishes it, and a sweep only skips some that have ended, whoever sees that when. */
        private @Nullable Child below;

        /** About how many there are from here down. */
        private int height;

        Child(OpenScope scope, SpawnedCoroutine<?> coroutine) {
            this.scope = scope;
            this.coroutine = coroutine;
        }

        @Override
        public boolean resume() {
            scope.ended(coroutine);
            return true;
        }
    }

    private static final VarHandle TOP;
    private static final VarHandle SWEEPING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(Children.class, "top", Child.class);
            SWEEPING = lookup.findVarHandle(Children.class, "sweeping", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Child top;

    @SuppressWarnings("UnusedVariable") // through its handle
    private volatile boolean sweeping;

    /** Written under this object's monitor; null for none, since a first value would cost each scope a fence. */
    private volatile @Nullable List<SpawnedCoroutine<?>> untold;

    /**
     * Adds one.
     *
     * @param living how many live at the moment
     */
    void push(Child child, int living) {
        Child below;
        do {
            below = top;
            child.below = below;
            child.height = below == null ? 1 : below.height + 1;
        } while (!TOP.compareAndSet(this, below, child));
        if (child.height > SLACK + 2 * living && SWEEPING.compareAndSet(this, false, true)) {
            sweep(child);
            SWEEPING.setVolatile(this, false);
        }
    }

    private static void sweep(Child from) {
        int kept = 0;
        for (Child child = from; child != null; child = child.below) {
            Child next = child.below;
            while (next != null && next.coroutine.isDone()) {
                next = next.below;
            }
            child.below = next;
            kept++;
        }
        from.height = kept;
    }

    /** Goes through those that live, and some that have ended. */
    void forEach(Consumer<SpawnedCoroutine<?>> action) {
        for (Child child = top; child != null; child = child.below) {
            action.accept(child.coroutine);
        }
    }

    synchronized void noteFailure(SpawnedCoroutine<?> coroutine) {
        List<SpawnedCoroutine<?>> before = untold;
        List<SpawnedCoroutine<?>> more = before == null ? new ArrayList<>() : new ArrayList<>(before);
        more.add(coroutine);
        untold = more;
    }

    List<SpawnedCoroutine<?>> takeUntold() {
        if (untold == null) {
            return List.of();
        }
        synchronized (this) {
            List<SpawnedCoroutine<?>> taken = untold;
            untold = null;
            return taken == null ? List.of() : taken;
        }
    }
}
