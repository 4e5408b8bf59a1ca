package io.skein.internal.loom;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import jdk.internal.misc.CarrierThread;

/**
 * A platform thread that carries coroutines and is known to the JDK as a carrier of virtual threads. Only to be loaded
 * where {@link Loom#available}.
 *
 * <p>The JDK asks a carrier two things, and both need this class:
 *
 * <ul>
 *   <li>{@link #beginBlocking} and {@link #endBlocking} tell the carrier that the virtual thread on it is about to block in
 *       native code, for example in a read of a child process's pipe.
 *   <li>{@code ForkJoinWorkerThread.hasKnownQueuedWork()} asks whether others wait for this carrier. {@code SynchronousQueue},
 *       {@code LinkedTransferQueue} and {@code Exchanger} spin before they park where the answer is no. A spinning coroutine
 *       keeps its partner from running, so the answer here is always yes.
 * </ul>
 *
 * <p>The second answer comes from a task in the thread's own queue. It belongs to a pool that has no threads, so the task is
 * never run. The task also keeps the JDK from submitting a thread that yields to that pool instead of to its executor.
 */
public abstract class CoroutineCarrier extends CarrierThread {
    /**
     * A pool without threads: {@code null} from the factory means that none can be made. A virtual thread of the JDK's own that is started
     * by a carrier is submitted to the carrier's pool, so this pool passes it on.
     */
    private static final class Nobody extends ForkJoinPool {
        private final ForkJoinPool jdk = findJdkScheduler();

        Nobody() {
            super(1, _ -> null, null, true);
        }

        private static ForkJoinPool findJdkScheduler() {
            try {
                Class<?> threads = Class.forName("java.lang.VirtualThread");
                return (ForkJoinPool) (Executor) MethodHandles.privateLookupIn(threads, MethodHandles.lookup())
                        .findStatic(threads, "defaultScheduler", MethodType.methodType(Executor.class))
                        .invokeExact();
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        @Override
        public <T> ForkJoinTask<T> externalSubmit(ForkJoinTask<T> task) {
            return jdk.externalSubmit(task);
        }
    }

    private static final ForkJoinPool NOBODY = new Nobody();

    /**
     * In the queue of every carrier. Made beforehand: a carrier that found no memory for it would end before {@link #carry}, and who
     * waits for that would do so for ever.
     */
    private static final ForkJoinTask<?> NEVER_RUN = ForkJoinTask.adapt(() -> {});

    private static final MethodHandle SET_STACK_SIZE = findStackSize();

    /**
     * A carrier, not yet started.
     *
     * @param stackSize in bytes; 0 for the JVM's default
     */
    protected CoroutineCarrier(String name, long stackSize) {
        super(NOBODY);
        setName(name);
        if (stackSize != 0) {
            try {
                SET_STACK_SIZE.invokeExact((Thread) this, stackSize);
            } catch (Throwable e) {
                throw new AssertionError("Thread.holder.stackSize could not be written", e);
            }
        }
    }

    /** A carrier has no parameter for its stack, so the field that the JVM reads at the start is written. */
    private static MethodHandle findStackSize() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            Class<?> holders = lookup.findClass("java.lang.Thread$FieldHolder");
            var stackSize = holders.getDeclaredField("stackSize");
            stackSize.setAccessible(true);
            return MethodHandles.filterArguments(
                            lookup.unreflectSetter(stackSize), 0, lookup.findGetter(Thread.class, "holder", holders))
                    .asType(MethodType.methodType(void.class, Thread.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public final void run() {
        NEVER_RUN.fork();
        carry();
    }

    /** What the thread does. */
    protected abstract void carry();

    /**
     * Called by the JDK on the virtual thread that is about to block.
     *
     * @return whether {@link #endBlocking} is to be called on the carrier that the thread is on afterwards
     */
    @Override
    public abstract boolean beginBlocking();

    /**
     * Called by the JDK on a virtual thread that has blocked; and on the carrier itself whenever a virtual thread has given way
     * to it.
     */
    @Override
    public abstract void endBlocking();
}
