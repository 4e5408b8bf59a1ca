package io.skein.internal.loom;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** What a thread's scoped values are bound to. A thread calls it for itself, and only where {@link #available}. */
final class ScopedBindings {
    private static final MethodType GET_SHAPE = MethodType.methodType(Object.class);
    private static final MethodType SET_SHAPE = MethodType.methodType(void.class, Object.class);

    private static final MethodType RUN_WITH_SHAPE =
            MethodType.methodType(void.class, Thread.class, Object.class, Runnable.class);
    private static final MethodType SET_CACHE_SHAPE = MethodType.methodType(void.class, Object[].class);

    /** Never bound. */
    private static final ScopedValue<Object> PROBE = ScopedValue.newInstance();

    /** A record, because the JIT trusts its fields as it trusts constants. */
    private record Handles(MethodHandle get, MethodHandle set, MethodHandle runWith, MethodHandle setCache) {}

    private static final Handles NONE = new Handles(
            MethodHandles.empty(GET_SHAPE),
            MethodHandles.empty(SET_SHAPE),
            MethodHandles.empty(RUN_WITH_SHAPE),
            MethodHandles.empty(SET_CACHE_SHAPE));
    private static final Handles HANDLES = Loom.available() ? find() : NONE;

    private ScopedBindings() {}

    private static Handles find() {
        try {
            MethodHandles.Lookup inside = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            return new Handles(
                    inside.findStatic(Thread.class, "scopedValueBindings", GET_SHAPE),
                    inside.findStatic(Thread.class, "setScopedValueBindings", SET_SHAPE),
                    inside.findVirtual(
                            Thread.class, "runWith", MethodType.methodType(void.class, Object.class, Runnable.class)),
                    inside.findStatic(Thread.class, "setScopedValueCache", SET_CACHE_SHAPE));
        } catch (ReflectiveOperationException e) {
            return NONE;
        }
    }

    static boolean available() {
        return HANDLES != NONE;
    }

    /** What the JDK notes for a thread in which no scoped value is bound any more; null if that cannot be seen. */
    static @Nullable Object none() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(ScopedValue.class, MethodHandles.lookup());
            Class<?> snapshot = lookup.findClass("java.lang.ScopedValue$Snapshot");
            return lookup.findStaticVarHandle(snapshot, "EMPTY_SNAPSHOT", snapshot)
                    .get();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Whether these are what the caller's are bound to. */
    static boolean is(@Nullable Object bindings) {
        return bindings != null && available() && get() == bindings;
    }

    static @Nullable Object get() {
        try {
            return (@Nullable Object) HANDLES.get.invokeExact();
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw new AssertionError("Thread.scopedValueBindings failed", e);
        }
    }

    /**
     * As {@link #get}, but never null: the JDK loses track in a stack overflow, and finds them again when somebody asks
     * for a value.
     */
    static Object ofCaller() {
        Object bindings = get();
        if (bindings == null) {
            boolean _ = PROBE.isBound();
            bindings = get();
        }
        return Objects.requireNonNull(bindings, "bindings");
    }

    /**
     * Calls a body on the calling platform thread with what {@link #ofCaller} has told of another thread; afterwards
     * nothing is left of it.
     */
    static <T extends @Nullable Object> T callWith(Object bindings, Callable<T> body) throws Exception {
        Call<T> call = new Call<>(body);
        Object before = get();
        try {
            set(bindings);
            HANDLES.runWith.invokeExact(Thread.currentThread(), bindings, (Runnable) call);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw new AssertionError("Thread.runWith failed", e);
        } finally {
            set(before);
            forgetCached();
        }
        return call.outcome();
    }

    /**
     * Values that were read are cached with the thread, and the cache knows only of bindings that end as they should.
     */
    private static void forgetCached() {
        try {
            HANDLES.setCache.invokeExact((Object @Nullable []) null);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("Thread.setScopedValueCache failed", e);
        }
    }

    /** A body, and then what became of it. */
    private static final class Call<T extends @Nullable Object> implements Runnable {
        private final Callable<T> body;
        private @Nullable T value;
        private @Nullable Throwable thrown;

        Call(Callable<T> body) {
            this.body = body;
        }

        @Override
        public void run() {
            try {
                value = body.call();
            } catch (Throwable e) { // every failure is an outcome, errors too
                thrown = e;
            }
        }

        @SuppressWarnings("NullAway") // the body's type is T, which may be nullable
        T outcome() throws Exception {
            return switch (thrown) {
                case null -> value;
                case Exception exception -> throw exception;
                case Error error -> throw error;
                default -> throw new AssertionError(thrown); // a Callable throws no other
            };
        }
    }

    /** Binds them as they were bound when {@link #get} was called. */
    static void set(@Nullable Object bindings) {
        try {
            HANDLES.set.invokeExact(bindings);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw new AssertionError("Thread.setScopedValueBindings failed", e);
        }
    }
}
