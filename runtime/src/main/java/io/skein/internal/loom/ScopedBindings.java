package io.skein.internal.loom;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** What a thread's scoped values are bound to. A thread calls it for itself, and only where {@link #available}. */
final class ScopedBindings {
    private static final MethodType GET_SHAPE = MethodType.methodType(Object.class);
    private static final MethodType SET_SHAPE = MethodType.methodType(void.class, Object.class);

    /** A record, because the JIT trusts its fields as it trusts constants. */
    private record Handles(MethodHandle get, MethodHandle set) {}

    private static final Handles NONE = new Handles(MethodHandles.empty(GET_SHAPE), MethodHandles.empty(SET_SHAPE));
    private static final Handles HANDLES = Loom.available() ? find() : NONE;

    private ScopedBindings() {}

    private static Handles find() {
        try {
            MethodHandles.Lookup inside = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            return new Handles(
                    inside.findStatic(Thread.class, "scopedValueBindings", GET_SHAPE),
                    inside.findStatic(Thread.class, "setScopedValueBindings", SET_SHAPE));
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
