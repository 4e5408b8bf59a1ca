package io.skein.internal.loom;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The groups of threads that the JDK knows: by them a thread dump shows which threads belong together, and scoped values
 * flow from the owner of a group to its members. Any thread may call it.
 *
 * <p>They need {@code java.lang} opened and {@code jdk.internal.vm} exported to this module. Where they are not, a thread is
 * started without a group: it runs all the same, and inherits no scoped values.
 */
public final class Containers {
    private static final MethodType START_SHAPE = MethodType.methodType(void.class, Thread.class, Object.class);

    private static final @Nullable MethodHandle START = findStart();

    /** What a group of threads with an owner is asked. */
    public interface Owned {
        String name();

        Stream<Thread> threads();

        /** Ends the members and waits for that, because the owner leaves the part of its code that opened the group. */
        void endForcibly();
    }

    private Containers() {}

    private static @Nullable MethodHandle findStart() {
        if (!Loom.exportsContinuations()) {
            return null;
        }
        try {
            Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
            return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
                    .findVirtual(Thread.class, "start", MethodType.methodType(void.class, container))
                    .asType(START_SHAPE);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** A group without an owner, which thread dumps show under its name; null where there are no groups. */
    public static @Nullable Object shared(String name, Supplier<Stream<Thread>> threads) {
        return START == null ? null : new SharedContainer(name, threads);
    }

    /** Takes a shared group out of thread dumps. */
    public static void close(@Nullable Object shared) {
        if (shared instanceof SharedContainer container) {
            container.deregister();
        }
    }

    /** A group that the caller owns until {@link #leave}; null where there are no groups. */
    public static @Nullable Object enter(Owned owned) {
        return START == null ? null : new OwnedContainer(owned).push();
    }

    /**
     * Ends the caller's ownership.
     *
     * @return false if the caller has entered something since that it has not left
     */
    public static boolean leave(@Nullable Object owned) {
        return !(owned instanceof OwnedContainer container) || container.popForcefully();
    }

    /** Starts a thread as a member of a group, or of none. */
    public static void start(Thread thread, @Nullable Object container) {
        MethodHandle start = START;
        if (container == null || start == null) {
            thread.start();
            return;
        }
        try {
            start.invokeExact(thread, container);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("Thread.start failed", e);
        }
    }
}
