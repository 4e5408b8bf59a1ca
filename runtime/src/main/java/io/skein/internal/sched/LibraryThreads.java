package io.skein.internal.sched;

import io.skein.internal.time.Timers;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads that are no coroutines and have scopes open: libraries start them inside coroutines, and so do
 * the JDK's structured scopes. Any thread may call it. Workers do, so the map is lock-free.
 *
 * <p>A thread is here from its first scope's opening to its last one's end. If it ends with a scope open, the JDK ends
 * that where it knows the scope's group; else the worker that sees the thread's end has the children cancelled. A
 * worker that only drives sees none: then the children go on until they end by themselves or the runtime is stopped.
 */
final class LibraryThreads {
    /** One of them, as the owner of its scopes. */
    private final class Owner implements ScopeOwner {
        private final Thread thread = Thread.currentThread();
        private final SpawnedCoroutine<?> starter;

        /** Written by the thread alone. */
        private volatile @Nullable OpenScope innermost;

        Owner(SpawnedCoroutine<?> starter) {
            this.starter = starter;
        }

        @Override
        public Thread thread() {
            return thread;
        }

        @Override
        public String name() {
            return nameOf(thread);
        }

        @Override
        public Scheduler scheduler() {
            return starter.scheduler();
        }

        @Override
        public SpawnedCoroutine<?> coroutine() {
            return starter;
        }

        @Override
        public @Nullable OpenScope innermost() {
            return innermost;
        }

        @Override
        public void innermost(@Nullable OpenScope scope) {
            innermost = scope;
            if (scope == null) {
                owners.remove(thread.threadId());
            } else {
                owners.put(thread.threadId(), this);
            }
        }

        void cancelScopes() {
            for (OpenScope scope = innermost; scope != null; scope = scope.outer()) {
                scope.cancel();
            }
        }
    }

    private final ConcurrentSkipListMap<Long, Owner> owners = new ConcurrentSkipListMap<>();

    /** What errors call such a thread. */
    static String nameOf(Thread thread) {
        return thread.getName().isEmpty() ? "thread-" + thread.threadId() : thread.getName();
    }

    /** The calling thread, which such a coroutine has started, as an owner of scopes. */
    ScopeOwner current(SpawnedCoroutine<?> starter) {
        Owner known = owners.get(Thread.currentThread().threadId());
        return known != null ? known : new Owner(starter);
    }

    /** Called by a worker: the thread of that number has ended. To be called again, if it fails for want of memory. */
    void ended(Long id) {
        Owner left = owners.get(id);
        if (left != null) {
            Timers.aside(left::cancelScopes); // children's callbacks are anybody's code
            owners.remove(id);
        }
    }

    /** Goes through the children of their scopes. */
    void forEachChild(Consumer<SpawnedCoroutine<?>> action) {
        for (Owner owner : owners.values()) {
            for (OpenScope scope = owner.innermost; scope != null; scope = scope.outer()) {
                scope.forEachChild(action);
            }
        }
    }
}
