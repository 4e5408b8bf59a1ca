package io.skein.internal.task;

import io.skein.Coroutine;
import io.skein.Scope.Policy;
import java.util.concurrent.Future.State;
import org.jspecify.annotations.Nullable;

/** Every child is to succeed; the first that does not cancels the rest. Any thread may call it. */
public final class AllSucceed<T extends @Nullable Object> extends Failures implements Policy<T, @Nullable Void> {
    @Override
    public boolean onEnd(Coroutine<? extends T> child) {
        if (child.state() == State.SUCCESS) {
            return false;
        }
        note(child);
        return true;
    }

    @Override
    public @Nullable Void result() {
        report();
        return null;
    }
}
