package io.skein.internal.loom;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/** The thread locals of a thread. A thread calls it for itself, and only where {@link #available}. */
final class ThreadLocals {
    private static final MethodType GET_SHAPE = MethodType.methodType(Object.class, Thread.class);
    private static final MethodType SET_SHAPE = MethodType.methodType(void.class, Thread.class, Object.class);
    private static final MethodType COPY_SHAPE = MethodType.methodType(Object.class, Object.class);
    private static final MethodType TABLE_SHAPE = MethodType.methodType(Object[].class, Object.class);
    private static final MethodType REMOVE_SHAPE = MethodType.methodType(void.class, Object.class, ThreadLocal.class);

    /**
     * A record, because the JIT trusts its fields as it trusts constants.
     *
     * @param carrierLocals the class of those that belong to a platform thread, whatever runs on it: the JDK's buffers,
     *     for example
     */
    private record Handles(
            MethodHandle getOwn,
            MethodHandle getInheritable,
            MethodHandle setInheritable,
            MethodHandle copy,
            MethodHandle table,
            MethodHandle remove,
            Class<?> carrierLocals) {}

    private static final @Nullable Handles HANDLES = Loom.available() ? find() : null;

    private ThreadLocals() {}

    private static @Nullable Handles find() {
        try {
            MethodHandles.Lookup threads = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            Class<?> map = threads.findClass("java.lang.ThreadLocal$ThreadLocalMap");
            Class<?> entry = threads.findClass("java.lang.ThreadLocal$ThreadLocalMap$Entry");
            MethodHandles.Lookup maps = MethodHandles.privateLookupIn(map, MethodHandles.lookup());
            return new Handles(
                    threads.findGetter(Thread.class, "threadLocals", map).asType(GET_SHAPE),
                    threads.findGetter(Thread.class, "inheritableThreadLocals", map)
                            .asType(GET_SHAPE),
                    threads.findSetter(Thread.class, "inheritableThreadLocals", map)
                            .asType(SET_SHAPE),
                    MethodHandles.privateLookupIn(ThreadLocal.class, MethodHandles.lookup())
                            .findStatic(ThreadLocal.class, "createInheritedMap", MethodType.methodType(map, map))
                            .asType(COPY_SHAPE),
                    maps.findGetter(map, "table", entry.arrayType()).asType(TABLE_SHAPE),
                    maps.findVirtual(map, "remove", MethodType.methodType(void.class, ThreadLocal.class))
                            .asType(REMOVE_SHAPE),
                    Class.forName("jdk.internal.misc.CarrierThreadLocal"));
        } catch (ReflectiveOperationException e) {
            return null; // a JDK that has them otherwise
        }
    }

    static boolean available() {
        return HANDLES != null;
    }

    /**
     * The inheritable ones as a child of the caller gets them, or null if there are none. Calls the users' {@code
     * childValue}.
     */
    static @Nullable Object inherited() {
        Handles handles = HANDLES;
        if (handles == null) {
            return null;
        }
        try {
            @Nullable Object parents = (@Nullable Object) handles.getInheritable.invokeExact(Thread.currentThread());
            return parents == null ? null : (Object) handles.copy.invokeExact(parents);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("ThreadLocal.createInheritedMap failed", e);
        }
    }

    /** Makes them the caller's inheritable ones, in place of those that it has. Null for none. */
    static void setInheritable(@Nullable Object inherited) {
        Handles handles = HANDLES;
        if (handles != null) {
            try {
                handles.setInheritable.invokeExact(Thread.currentThread(), inherited);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError("Thread.inheritableThreadLocals could not be written", e);
            }
        }
    }

    /** Forgets what was set on the calling platform thread, but not what the JDK keeps for the thread itself. */
    static void forget() {
        Handles handles = HANDLES;
        if (handles == null) {
            return;
        }
        try {
            @Nullable Object own = (@Nullable Object) handles.getOwn.invokeExact(Thread.currentThread());
            if (own == null) {
                return;
            }
            Object[] table = ((Object[]) handles.table.invokeExact(own)).clone(); // a removal moves others
            for (Object entry : table) {
                if (entry instanceof Reference<?> key
                        && key.get() instanceof ThreadLocal<?> local
                        && !handles.carrierLocals.isInstance(local)) {
                    handles.remove.invokeExact(own, local);
                }
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("ThreadLocalMap.remove failed", e);
        }
    }
}
