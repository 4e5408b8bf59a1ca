package io.skein.internal.task;

import io.skein.Coroutine;
import io.skein.Scope.Policy;
import org.jspecify.annotations.Nullable;

/** Every child is to succeed; the first that does not cancels the rest. Any thread may call it. */
public final class AllSucceed<T extends @Nullable Object> implements Policy<T, @Nullable Void> {
    private final Failures failures = new Failures();

    @Override
    public boolean onEnd(Coroutine<? extends T> child) {
        switch (child.state()) {
            case FAILED -> failures.failed(child);
            case CANCELLED -> failures.cancelled(child);
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable Void result() {
        failures.report();
        return null;
    }
}
