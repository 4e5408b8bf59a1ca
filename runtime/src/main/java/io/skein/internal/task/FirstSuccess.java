package io.skein.internal.task;

import io.skein.Coroutine;
import io.skein.Scope.Policy;
import java.util.NoSuchElementException;
import java.util.concurrent.Future.State;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One child is to succeed; the first that does cancels the rest. Any thread may call it. */
public final class FirstSuccess<T extends @Nullable Object> extends Failures implements Policy<T, T> {
    private final AtomicReference<@Nullable Coroutine<? extends T>> winner = new AtomicReference<>();

    @Override
    public boolean onEnd(Coroutine<? extends T> child) {
        if (child.state() == State.SUCCESS) {
            winner.compareAndSet(null, child);
            return true;
        }
        note(child);
        return false;
    }

    @Override
    public T result() {
        Coroutine<? extends T> first = winner.get();
        if (first == null) {
            report();
            throw new NoSuchElementException("no child was forked, so there is no first");
        }
        return first.resultNow();
    }
}
