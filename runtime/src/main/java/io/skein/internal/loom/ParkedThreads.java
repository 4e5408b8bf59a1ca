package io.skein.internal.loom;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Parked virtual threads, run by a carrier without having been unparked. See {@link Unparking} for why, and for when.
 * Only to be called where {@link #available}.
 *
 * <p>What {@link #run} does is what the JDK's {@code VirtualThread.runContinuation} does, by the same private methods, but from
 * another state. Everything that the JDK does before and after, it goes on to do.
 */
final class ParkedThreads {
    private static final MethodType OF_THREAD = MethodType.methodType(void.class, Thread.class);
    private static final MethodType STATE_OF = MethodType.methodType(int.class, Thread.class);
    private static final MethodType STEP_OF = MethodType.methodType(boolean.class, Thread.class, int.class, int.class);
    private static final MethodType CONTINUATION_OF = MethodType.methodType(Object.class, Thread.class);
    private static final MethodType TASK_OF = MethodType.methodType(Runnable.class, Thread.class);
    private static final MethodType IS_DONE = MethodType.methodType(boolean.class, Object.class);

    /** A record, because the JIT trusts its fields as it trusts constants. */
    private record Handles(
            int parked,
            int timedParked,
            int running,
            int timedParking,
            int unparked,
            int timedWaiting,
            int unblocked,
            int yielded,
            MethodHandle state,
            MethodHandle step,
            MethodHandle continuation,
            MethodHandle task,
            MethodHandle isDone,
            MethodHandle mount,
            MethodHandle unmount,
            MethodHandle afterYield,
            MethodHandle afterDone) {}

    private static final Handles NONE = new Handles(
            -1,
            -1,
            -1,
            -1,
            -1,
            -1,
            -1,
            -1,
            MethodHandles.empty(STATE_OF),
            MethodHandles.empty(STEP_OF),
            MethodHandles.empty(CONTINUATION_OF),
            MethodHandles.empty(TASK_OF),
            MethodHandles.empty(IS_DONE),
            MethodHandles.empty(OF_THREAD),
            MethodHandles.empty(OF_THREAD),
            MethodHandles.empty(OF_THREAD),
            MethodHandles.empty(OF_THREAD));

    private static final Handles HANDLES = Continuations.available() ? find() : NONE;

    /** Somebody may look at the thread's stack at the first trial, and keep it from running. */
    private static final int TRIALS = 2;

    private static final boolean AVAILABLE = IntStream.range(0, TRIALS).anyMatch(_ -> practise());

    private ParkedThreads() {}

    /** Whether this JVM's virtual threads can be run so. First to be called on a platform thread, or they can't. */
    static boolean available() {
        return AVAILABLE;
    }

    /** Whether a virtual thread has parked and nobody has unparked it. */
    static boolean isParked(Thread virtualThread) {
        try {
            return (int) HANDLES.state.invokeExact(virtualThread) == HANDLES.parked;
        } catch (Throwable e) {
            throw Continuations.failure(e);
        }
    }

    /**
     * Runs a virtual thread on the calling platform thread until it gives way or ends.
     *
     * @return false if it was not parked, and did not run
     */
    static boolean run(Thread virtualThread) {
        try {
            if (!(boolean) HANDLES.step.invokeExact(virtualThread, HANDLES.parked, HANDLES.running)) {
                return false;
            }
            Object continuation = (@Nullable Object) HANDLES.continuation.invokeExact(virtualThread);
            HANDLES.mount.invokeExact(virtualThread);
            try {
                Continuations.run(continuation);
            } finally {
                HANDLES.unmount.invokeExact(virtualThread);
                if ((boolean) HANDLES.isDone.invokeExact(continuation)) {
                    HANDLES.afterDone.invokeExact(virtualThread);
                } else {
                    HANDLES.afterYield.invokeExact(virtualThread);
                }
            }
            return true;
        } catch (Throwable e) {
            throw Continuations.failure(e);
        }
    }

    /** Steps a thread that gave way for a timed wait, and then was forgotten, to where the end of that wait would have. */
    static boolean endUnarmedWait(Thread virtualThread) {
        try {
            return (boolean) HANDLES.step.invokeExact(virtualThread, HANDLES.timedParking, HANDLES.unparked)
                    || (boolean) HANDLES.step.invokeExact(virtualThread, HANDLES.timedWaiting, HANDLES.unblocked);
        } catch (Throwable e) {
            throw Continuations.failure(e);
        }
    }

    /** Ends a thread's wait, if it is parked, and hands it to its executor, if it is to run. It may be there already. */
    static void resubmit(Thread virtualThread) {
        try {
            boolean _ = (boolean) HANDLES.step.invokeExact(virtualThread, HANDLES.parked, HANDLES.unparked)
                    || (boolean) HANDLES.step.invokeExact(virtualThread, HANDLES.timedParked, HANDLES.unparked);
            int state = (int) HANDLES.state.invokeExact(virtualThread);
            if (state == HANDLES.unparked || state == HANDLES.unblocked || state == HANDLES.yielded) {
                Loom.executorOf(virtualThread).execute((Runnable) HANDLES.task.invokeExact(virtualThread));
            }
        } catch (Throwable e) {
            throw Continuations.failure(e);
        }
    }

    /**
     * Tries it: a virtual thread parks twice, is run after each, and ends. That links all calls too. Linking takes locks, so it must not
     * happen while half of a thread is mounted, and memory, so it must not wait until the heap is full.
     */
    private static boolean practise() {
        if (HANDLES == NONE || Thread.currentThread().isVirtual()) {
            return false;
        }
        try {
            Queue<Runnable> submitted = new ArrayDeque<>();
            Thread parking = Loom.newVirtualThread(submitted::add, null, () -> {
                LockSupport.park();
                LockSupport.park();
            });
            parking.start();
            submitted.remove().run();
            boolean ended = isParked(parking) && run(parking) && run(parking) && !run(parking) && !parking.isAlive();
            resubmit(parking);
            return ended && !endUnarmedWait(parking) && submitted.isEmpty();
        } catch (Throwable e) { // a JDK that has it otherwise: then without
            return false;
        }
    }

    private static Handles find() {
        try {
            Class<?> threads = Class.forName("java.lang.VirtualThread");
            Class<?> continuations = Class.forName("jdk.internal.vm.Continuation");
            MethodHandles.Lookup inside = MethodHandles.privateLookupIn(threads, MethodHandles.lookup());
            VarHandle state = inside.findVarHandle(threads, "state", int.class);
            return new Handles(
                    constant(inside, "PARKED"),
                    constant(inside, "TIMED_PARKED"),
                    constant(inside, "RUNNING"),
                    constant(inside, "TIMED_PARKING"),
                    constant(inside, "UNPARKED"),
                    constant(inside, "TIMED_WAITING"),
                    constant(inside, "UNBLOCKED"),
                    constant(inside, "YIELDED"),
                    state.toMethodHandle(VarHandle.AccessMode.GET_VOLATILE).asType(STATE_OF),
                    state.toMethodHandle(VarHandle.AccessMode.COMPARE_AND_SET).asType(STEP_OF),
                    inside.findGetter(threads, "cont", continuations).asType(CONTINUATION_OF),
                    inside.findGetter(threads, "runContinuation", Runnable.class)
                            .asType(TASK_OF),
                    MethodHandles.lookup()
                            .findVirtual(continuations, "isDone", MethodType.methodType(boolean.class))
                            .asType(IS_DONE),
                    action(inside, "mount"),
                    action(inside, "unmount"),
                    action(inside, "afterYield"),
                    action(inside, "afterDone"));
        } catch (Throwable e) { // a JDK that has them otherwise: then without
            return NONE;
        }
    }

    private static int constant(MethodHandles.Lookup inside, String name) throws Throwable {
        return (int)
                inside.findStaticGetter(inside.lookupClass(), name, int.class).invokeExact();
    }

    private static MethodHandle action(MethodHandles.Lookup inside, String name) throws ReflectiveOperationException {
        return inside.findVirtual(inside.lookupClass(), name, MethodType.methodType(void.class))
                .asType(OF_THREAD);
    }
}
