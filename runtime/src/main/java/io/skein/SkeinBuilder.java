package io.skein;

import io.skein.internal.sched.SchedulerSettings;
import io.skein.internal.time.Durations;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Options of a runtime. Not safe for use by several threads. */
public final class SkeinBuilder {
    private static final System.Logger LOG = System.getLogger("io.skein");

    private int workers = Runtime.getRuntime().availableProcessors();
    private DriverKind driver = DriverKind.AUTO;
    private String name = "skein";
    private int ringEntries = 256;
    private BiConsumer<Coroutine<?>, Throwable> failureHandler = SkeinBuilder::logFailure;
    private Scheduling scheduling = Scheduling.STEALING;
    private Dispatch dispatch = SchedulerSettings.DEFAULT_DISPATCH;
    private int runQueueCapacity;
    private int blockingThreads = 512;
    private Duration watchdog = Duration.ofMillis(100);
    private boolean pinToCpus;
    private boolean asDefault;
    private long stackSize = 16L << 20;

    SkeinBuilder() {}

    private static void logFailure(Coroutine<?> coroutine, Throwable failure) {
        LOG.log(Level.WARNING, coroutine.name() + " failed and nobody was waiting for it", failure);
    }

    int workers() {
        return workers;
    }

    DriverChoice driverChoice() {
        return DriverChoice.make(driver, ringEntries);
    }

    boolean isDefault() {
        return asDefault;
    }

    SchedulerSettings settings() {
        return new SchedulerSettings(
                workers,
                scheduling,
                dispatch,
                runQueueCapacity > 0 ? runQueueCapacity : defaultRunQueueCapacity(),
                name,
                failureHandler,
                blockingThreads,
                watchdog,
                pinToCpus,
                stackSize);
    }

    /** What spills is for others to take. Where there are none, a queue that seldom spills saves the detour. */
    private int defaultRunQueueCapacity() {
        return workers > 1 && scheduling == Scheduling.STEALING ? 256 : 4096;
    }

    /** Whether workers share their coroutines; by default {@link Scheduling#STEALING}. */
    public SkeinBuilder scheduling(Scheduling kind) {
        scheduling = Objects.requireNonNull(kind, "scheduling");
        return this;
    }

    /** Where spawned coroutines start; by default {@link Dispatch#roundRobin}. */
    public SkeinBuilder dispatch(Dispatch choice) {
        dispatch = Objects.requireNonNull(choice, "dispatch");
        return this;
    }

    /**
     * The size of each worker's run queue: a power of two from 2 to 65536. By default 256, and 4096 where no worker
     * steals from another.
     */
    public SkeinBuilder runQueueCapacity(int count) {
        if (count < 2 || count > 65536 || Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException(
                    "runQueueCapacity: " + count + "; it must be a power of two from 2 to 65536");
        }
        runQueueCapacity = count;
        return this;
    }

    /** The most threads that {@link Skein#blocking} uses at once; by default 512. */
    public SkeinBuilder blockingThreads(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("blockingThreads: " + most + "; there must be at least 1");
        }
        blockingThreads = most;
        return this;
    }

    /**
     * How long a coroutine may hold its worker before it is reported through the logger {@code io.skein}, once, with
     * its stack; zero switches such reports off. By default 100 ms.
     */
    public SkeinBuilder watchdog(Duration threshold) {
        if (threshold.isNegative()) {
            throw new IllegalArgumentException("watchdog: " + Durations.text(threshold) + "; it must not be negative");
        }
        watchdog = threshold;
        return this;
    }

    /**
     * Whether each worker's thread is bound to a processor of its own; by default not. Where that cannot be had, a
     * line in the log says so.
     */
    public SkeinBuilder pinToCpus(boolean pin) {
        pinToCpus = pin;
        return this;
    }

    /**
     * How deep coroutines may call: the bytes of each worker's stack, on which the coroutine that runs has its frames;
     * from 64 KiB to 1 GiB. By default 16 MiB, of which the operating system provides only what is used. Without
     * the flags that the guide names, coroutines run on the JDK's own threads and this has no effect.
     */
    public SkeinBuilder stackSize(long bytes) {
        if (bytes < 64L << 10 || bytes > 1L << 30) {
            throw new IllegalArgumentException("stackSize: " + bytes + "; it must be from 64 KiB to 1 GiB");
        }
        stackSize = bytes;
        return this;
    }

    /** How many workers; by default one for each processor. */
    public SkeinBuilder workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("workers: " + count + "; a runtime needs at least 1");
        }
        workers = count;
        return this;
    }

    /** The driver; by default {@link DriverKind#AUTO}. */
    public SkeinBuilder driver(DriverKind kind) {
        driver = Objects.requireNonNull(kind, "driver");
        return this;
    }

    /**
     * What the names of the runtime's threads begin with, and what {@link Skein#named} finds it by; by default
     * {@code skein}.
     */
    public SkeinBuilder name(String prefix) {
        name = Objects.requireNonNull(prefix, "name");
        return this;
    }

    /**
     * Makes it the default runtime of the process, which {@link Skein#byDefault} finds until it is closed. By
     * default it is not. While there is one, another cannot be started so.
     */
    public SkeinBuilder asDefault() {
        asDefault = true;
        return this;
    }

    /** The size of each worker's submission queue: a power of two from 2 to 32768; by default 256. */
    public SkeinBuilder ringEntries(int count) {
        if (count < 2 || count > 32768 || Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException("ringEntries: " + count + "; it must be a power of two from 2 to 32768");
        }
        ringEntries = count;
        return this;
    }

    /**
     * Who hears of failures that nobody was waiting for; by default they are logged. It is called on a thread
     * that is not a worker. An uncaught exception handler that is set on a coroutine's thread hears instead, and so
     * does the default one for threads of {@link Skein#threadFactory()} and {@link Skein#executor()}.
     */
    public SkeinBuilder failureHandler(BiConsumer<Coroutine<?>, Throwable> handler) {
        failureHandler = Objects.requireNonNull(handler, "failureHandler");
        return this;
    }

    /**
     * Starts the runtime.
     *
     * @throws IllegalStateException if a driver was asked for that cannot be had, saying why; or if it is to be the
     *     default runtime, and there is one
     */
    public Skein start() {
        return new Skein(this);
    }
}
