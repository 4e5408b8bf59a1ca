package io.skein.internal.task;

import io.skein.Coroutine;
import io.skein.Scope.Policy;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One child is to succeed; the first that does cancels the rest. Any thread may call it. */
public final class FirstSuccess<T extends @Nullable Object> implements Policy<T, T> {
    private final AtomicReference<@Nullable Coroutine<? extends T>> winner = new AtomicReference<>();
    private final Failures failures = new Failures();

    @Override
    public boolean onEnd(Coroutine<? extends T> child) {
        switch (child.state()) {
            case FAILED -> failures.failed(child);
            case CANCELLED -> failures.cancelled(child);
            default -> {
                winner.compareAndSet(null, child);
                return true;
            }
        }
        return false;
    }

    @Override
    public T result() {
        Coroutine<? extends T> first = winner.get();
        if (first == null) {
            failures.report();
            throw new NoSuchElementException("no child was forked, so there is no first");
        }
        return first.resultNow();
    }
}
