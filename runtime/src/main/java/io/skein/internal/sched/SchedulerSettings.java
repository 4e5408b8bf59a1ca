package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.Dispatch;
import io.skein.Scheduling;
import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * How a scheduler is to be set up. Immutable; checked by the public builder.
 *
 * @param workers how many workers
 * @param scheduling whether they share their coroutines
 * @param dispatch where a spawned coroutine starts
 * @param queueCapacity the size of a worker's run queue, a power of two
 * @param name what the threads' names begin with
 * @param failureHandler who hears of failures that nobody was waiting for
 * @param blockingThreads the most threads of the blocking pool
 * @param watchdog how long a coroutine may hold its worker before it is reported; zero for ever
 * @param pinToCpus whether each worker's thread is bound to one processor
 * @param stackSize the bytes of a worker's stack
 */
public record SchedulerSettings(
        int workers,
        Scheduling scheduling,
        Dispatch dispatch,
        int queueCapacity,
        String name,
        BiConsumer<Coroutine<?>, Throwable> failureHandler,
        int blockingThreads,
        Duration watchdog,
        boolean pinToCpus,
        long stackSize) {

    /** The dispatch of a runtime that was not told otherwise. Under stealing it leaves the choice to who is free. */
    public static final Dispatch DEFAULT_DISPATCH = Dispatch.roundRobin();
}
