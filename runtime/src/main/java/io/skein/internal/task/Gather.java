package io.skein.internal.task;

import io.skein.Coroutine;
import io.skein.Scope.Policy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Every child's outcome is wanted, in the order of forking. Any thread may call it. */
public final class Gather<T extends @Nullable Object> implements Policy<T, List<Coroutine<T>>> {
    private final Queue<Coroutine<T>> children = new ConcurrentLinkedQueue<>();

    @Override
    @SuppressWarnings("unchecked") // a handle only gives its value out
    public void onFork(Coroutine<? extends T> child) {
        children.add((Coroutine<T>) child);
    }

    @Override
    public boolean onEnd(Coroutine<? extends T> child) {
        return false;
    }

    @Override
    public List<Coroutine<T>> result() {
        return children.stream().filter(Coroutine::isDone).toList(); // one that could not be started never is
    }
}
