package io.skein.internal.loom;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads on an executor of our own, and the carrier that runs the caller.
 *
 * <p>Any thread may call it. Both need {@code java.lang} opened to this module. {@link #available} says whether
 * it is; where it is not, coroutines are virtual threads on the JDK's own scheduler, and {@link #missingFlags}
 * says what would change that.
 */
public final class Loom {
    private static final MethodType CARRIER_SHAPE = MethodType.methodType(Thread.class);
    private static final MethodType THREAD_SHAPE =
            MethodType.methodType(Thread.class, Executor.class, String.class, int.class, Runnable.class);

    private static final MethodType CARRIER_OF_SHAPE = MethodType.methodType(Thread.class, Thread.class);
    private static final MethodType EXECUTOR_OF_SHAPE = MethodType.methodType(Executor.class, Thread.class);
    private static final MethodType THREAD_OF_SHAPE = MethodType.methodType(Thread.class, Runnable.class);

    private static final boolean AVAILABLE;
    private static final MethodHandle CURRENT_CARRIER;
    private static final MethodHandle NEW_VIRTUAL_THREAD;
    private static final MethodHandle CARRIER_OF;
    private static final MethodHandle EXECUTOR_OF;
    private static final MethodHandle THREAD_OF;

    static {
        boolean available = false;
        MethodHandle carrier = MethodHandles.empty(CARRIER_SHAPE);
        MethodHandle thread = MethodHandles.empty(THREAD_SHAPE);
        MethodHandle carrierOf = MethodHandles.empty(CARRIER_OF_SHAPE);
        MethodHandle executorOf = MethodHandles.empty(EXECUTOR_OF_SHAPE);
        MethodHandle threadOf = MethodHandles.empty(THREAD_OF_SHAPE);
        if (!Boolean.getBoolean("skein.portable")) {
            try {
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
                carrier = lookup.findStatic(Thread.class, "currentCarrierThread", CARRIER_SHAPE);
                Class<?> builders = lookup.findClass("java.lang.ThreadBuilders");
                thread = lookup.findStatic(builders, "newVirtualThread", THREAD_SHAPE);
                Class<?> virtualThread = lookup.findClass("java.lang.VirtualThread");
                MethodHandles.Lookup inside = MethodHandles.privateLookupIn(virtualThread, MethodHandles.lookup());
                carrierOf = inside.findGetter(virtualThread, "carrierThread", Thread.class)
                        .asType(CARRIER_OF_SHAPE);
                executorOf = inside.findGetter(virtualThread, "scheduler", Executor.class)
                        .asType(EXECUTOR_OF_SHAPE);
                threadOf = findThreadOf(inside, virtualThread, thread);
                JdkPackages.open("jdk.internal.misc"); // of CarrierThread, which CoroutineCarrier extends
                available = true;
            } catch (Throwable e) { // a JDK that has them otherwise
                carrier = MethodHandles.empty(CARRIER_SHAPE); // all or none
            }
        }
        AVAILABLE = available;
        CURRENT_CARRIER = carrier;
        NEW_VIRTUAL_THREAD = thread;
        CARRIER_OF = carrierOf;
        EXECUTOR_OF = executorOf;
        THREAD_OF = threadOf;
    }

    /**
     * Calls once what a full heap must not be the first to call: to load a class takes memory, and to link a call by a method handle. To be
     * called on a platform thread where {@link #available}.
     *
     * @return the continuation of a virtual thread that has ended
     */
    public static Runnable rehearse() {
        Queue<Runnable> submitted = new ArrayDeque<>(1);
        Thread sample = newVirtualThread(submitted::add, null, () -> {});
        sample.start();
        Runnable continuation = submitted.remove();
        continuation.run();
        if (threadOf(continuation) != sample || carrierOf(sample) != null || executorOf(sample) == null) {
            throw new AssertionError("this JDK has its virtual threads otherwise");
        }
        return continuation;
    }

    /**
     * Whether a virtual thread gives way while it holds a monitor, found out by trying. To be called on a platform
     * thread where {@link #available}.
     */
    public static boolean givesWayInMonitors() {
        Queue<Runnable> submitted = new ArrayDeque<>(2);
        Thread sample = newVirtualThread(submitted::add, null, Loom::yieldInMonitor);
        sample.start();
        submitted.remove().run();
        boolean gaveWay = sample.isAlive();
        while (!submitted.isEmpty()) {
            submitted.remove().run();
        }
        return gaveWay;
    }

    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is the caller
    private static void yieldInMonitor() {
        synchronized (new Object()) {
            Thread.yield();
        }
    }

    /** The JDK hands an executor a lambda that has captured the thread and nothing else; this reads what it captured. */
    private static MethodHandle findThreadOf(
            MethodHandles.Lookup inside, Class<?> virtualThread, MethodHandle newVirtualThread) throws Throwable {
        Executor none = _ -> {};
        Runnable nothing = () -> {};
        Thread sample = (Thread) newVirtualThread.invokeExact(none, (String) null, 0, nothing);
        Object continuation = inside.findGetter(virtualThread, "runContinuation", Runnable.class)
                .invoke(sample);
        Field captured = continuation.getClass().getDeclaredFields()[0];
        captured.setAccessible(true);
        return MethodHandles.lookup().unreflectGetter(captured).asType(THREAD_OF_SHAPE);
    }

    private Loom() {}

    /** Whether coroutines can run on workers of our own. */
    public static boolean available() {
        return AVAILABLE;
    }

    /** Whether the JDK's package of continuations and thread containers can be used. */
    static boolean exportsContinuations() {
        return AVAILABLE && Object.class.getModule().isExported("jdk.internal.vm", Loom.class.getModule());
    }

    /** The command line flag that makes {@link #available} true. */
    public static String missingFlags() {
        Module module = Loom.class.getModule();
        return "--add-opens=java.base/java.lang=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }

    /**
     * The platform thread that runs the caller: the caller itself, or its carrier when it is a virtual thread. Null
     * where not {@link #available}.
     */
    public static @Nullable Thread currentCarrier() {
        try {
            return (@Nullable Thread) CURRENT_CARRIER.invokeExact();
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw new AssertionError("Thread.currentCarrierThread failed", e);
        }
    }

    /**
     * A virtual thread, not yet started, whose continuation is handed to {@code executor} whenever it is to run.
     * Only to be called where {@link #available}.
     *
     * @param name the thread's name, or null for none
     */
    public static Thread newVirtualThread(Executor executor, @Nullable String name, Runnable body) {
        try {
            return (Thread) NEW_VIRTUAL_THREAD.invokeExact(executor, name, 0, body);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("ThreadBuilders.newVirtualThread failed", e);
        }
    }

    /** The carrier that a virtual thread is mounted on at the moment, or null. */
    public static @Nullable Thread carrierOf(Thread virtualThread) {
        try {
            return (@Nullable Thread) CARRIER_OF.invokeExact(virtualThread);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw new AssertionError("VirtualThread.carrierThread could not be read", e);
        }
    }

    /** The executor that a virtual thread is scheduled by. Only to be called where {@link #available}. */
    public static Executor executorOf(Thread virtualThread) {
        try {
            return (Executor) EXECUTOR_OF.invokeExact(virtualThread);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw new AssertionError("VirtualThread.scheduler could not be read", e);
        }
    }

    /** The virtual thread that a continuation belongs to. Only to be called where {@link #available}. */
    public static Thread threadOf(Runnable continuation) {
        try {
            return (Thread) THREAD_OF.invokeExact(continuation);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("the thread of a continuation could not be read", e);
        }
    }

    /** Starts the JDK's own socket pollers, unless they have started. They are virtual threads that inherit the caller's scheduler. */
    public static void startJdkPollers() {
        try {
            Class.forName("sun.nio.ch.Poller");
        } catch (ClassNotFoundException | LinkageError e) {
            // A JDK without that class has no such pollers; one that cannot start them now says so to who needs them.
        }
    }
}
