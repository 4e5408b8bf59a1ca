package io.skein.internal.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds sockets that are open though nobody is left who could close them. Any thread may call it.
 *
 * <p>A user has a handle, and the handle has its socket. While the socket is open, {@link OpenSockets} has it, and the
 * socket has the {@link Leak} of its handle, which is a phantom reference. So a handle that nobody refers to dies
 * though its socket is open, and the collector queues the leak. A socket that was closed dies together with its handle
 * and its leak, which is never queued.
 *
 * <p>What was queued is moved to a stack whose links are the leaks themselves, so that nothing is lost where there is
 * no memory.
 */
public final class LeakDetector {
    /** A socket that was not closed, once its handle is gone. */
    public static final class Leak extends PhantomReference<Object> {
        private final Class<?> kind;
        private final BoundSocket socket;
        private final @Nullable Throwable place;
        private @Nullable Leak below;

        private Leak(Object handle, ReferenceQueue<Object> queue, BoundSocket socket, @Nullable Throwable place) {
            super(handle, queue);
            this.kind = handle.getClass();
            this.socket = socket;
            this.place = place;
        }

        public BoundSocket socket() {
            return socket;
        }

        /**
         * Where the socket was opened, if that was kept; its cause is where that was asked for, if another thread did.
         */
        public @Nullable Throwable place() {
            return place;
        }

        /** Names the socket. */
        @Override
        public String toString() {
            return kind.getSimpleName() + " " + socket;
        }
    }

    private static final VarHandle FOUND;

    static {
        try {
            FOUND = MethodHandles.lookup().findVarHandle(LeakDetector.class, "found", Leak.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where a thread waits for the calling coroutine, which opens a socket in its place; empty if that is not kept. */
    private static final ScopedValue<Optional<Throwable>> ASKED = ScopedValue.newInstance();

    private final int every;
    private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
    private volatile @Nullable Leak found;

    /**
     * A detector.
     *
     * @param every of one in how many sockets it is kept where they were opened; 0 for none
     */
    public LeakDetector(int every) {
        this.every = every;
    }

    /**
     * Watches a handle. Where there is no memory or stack for that, it is not watched, and has to be closed all the
     * more.
     */
    public void watch(Object handle, BoundSocket socket) {
        try {
            socket.watchedBy(new Leak(handle, queue, socket, place()));
        } catch (VirtualMachineError e) {
            // It works all the same.
        }
    }

    private @Nullable Throwable place() {
        if (ASKED.isBound()) {
            return ASKED.get().map(asked -> new Throwable("opened here", asked)).orElse(null);
        }
        return isSampled() ? new Throwable("opened here") : null;
    }

    private boolean isSampled() {
        return every == 1 || (every > 1 && ThreadLocalRandom.current().nextInt(every) == 0);
    }

    /** A call that another thread makes for this one, and that opens a socket: it is known to be opened here. */
    public <T extends @Nullable Object> Callable<T> asked(Callable<T> call) {
        if (every == 0) {
            return call;
        }
        Optional<Throwable> here = ASKED.isBound() ? ASKED.get() : sample();
        return () -> ScopedValue.where(ASKED, here).call(call::call);
    }

    private Optional<Throwable> sample() {
        return isSampled() ? Optional.of(new Throwable("asked for here")) : Optional.empty();
    }

    /** Whether there are leaks to {@linkplain #next take}. Costs two reads when there are none. */
    public boolean hasFound() {
        Leak queued = (Leak) queue.poll();
        if (queued != null) {
            push(queued);
        }
        return found != null;
    }

    private void push(Leak leak) {
        Leak top;
        do {
            top = found;
            leak.below = top;
        } while (!FOUND.compareAndSet(this, top, leak));
    }

    /** Takes a leak, or null if there is none. One thread at a time. */
    public @Nullable Leak next() {
        Leak queued = (Leak) queue.poll();
        if (queued != null) {
            return queued;
        }
        Leak top;
        do {
            top = found;
        } while (top != null && !FOUND.compareAndSet(this, top, top.below));
        return top;
    }
}
