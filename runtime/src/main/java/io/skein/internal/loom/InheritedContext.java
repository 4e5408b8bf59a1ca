package io.skein.internal.loom;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What a thread would inherit that the caller started now: the context class loader, and where {@link Loom#available}
 * inheritable thread locals and scoped values. Immutable.
 *
 * <p>It is for a platform thread of a pool that works for one caller after another, and has nothing of any of them
 * meanwhile.
 */
public final class InheritedContext {
    private final @Nullable ClassLoader classLoader;
    private final @Nullable Object inheritableLocals;
    private final @Nullable Object bindings;

    private InheritedContext() {
        this.classLoader = Thread.currentThread().getContextClassLoader();
        this.inheritableLocals = ThreadLocals.inherited();
        this.bindings = ScopedBindings.available() ? ScopedBindings.ofCaller() : null;
    }

    /** Wraps a body for a thread of a pool, so that there it finds what a thread inherits from the caller. */
    public static <T extends @Nullable Object> Callable<T> around(Callable<T> body) {
        InheritedContext callers = new InheritedContext();
        return () -> callers.call(body);
    }

    private <T extends @Nullable Object> T call(Callable<T> body) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(classLoader);
            ThreadLocals.setInheritable(inheritableLocals);
            return bindings == null ? body.call() : ScopedBindings.callWith(bindings, body);
        } finally {
            thread.setContextClassLoader(before);
            ThreadLocals.setInheritable(null);
            ThreadLocals.forget();
        }
    }
}
