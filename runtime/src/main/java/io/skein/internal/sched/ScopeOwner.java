package io.skein.internal.sched;

import org.jspecify.annotations.Nullable;

/** A thread that opens scopes: a coroutine, or a virtual thread that a library has started in one. */
interface ScopeOwner {
    /** The calling thread. */
    static ScopeOwner current() {
        SpawnedCoroutine<?> coroutine = Scheduler.currentCoroutine();
        if (coroutine != null) {
            return coroutine;
        }
        SpawnedCoroutine<?> starter = Scheduler.starterOfCurrent();
        if (starter == null) {
            throw new IllegalStateException(Thread.currentThread()
                    + " is neither a coroutine nor a virtual thread that one has started:"
                    + " call this inside Skein.spawn or Skein.blockOn");
        }
        return starter.scheduler().libraryThreads().current(starter);
    }

    Thread thread();

    String name();

    Scheduler scheduler();

    /** The coroutine that it is, or by which it was started. */
    SpawnedCoroutine<?> coroutine();

    /** The scope that it has opened last of those that are open. */
    @Nullable
    OpenScope innermost();

    /** Called by the thread itself. */
    void innermost(@Nullable OpenScope scope);
}
