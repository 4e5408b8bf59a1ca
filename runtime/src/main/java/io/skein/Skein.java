package io.skein;

import io.skein.internal.loom.Loom;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A runtime: workers that run coroutines and drive their I/O. Safe for use by any thread.
 *
 * <pre>{@code
 * try (Skein skein = Skein.start()) {
 *     skein.blockOn(() -> {
 *         try (TcpListener listener = TcpListener.bind("127.0.0.1", 7000)) {
 *             while (true) {
 *                 TcpStream stream = listener.accept();
 *                 skein.spawn(() -> serve(stream));
 *             }
 *         }
 *     });
 * }
 * }</pre>
 *
 * <p>Code in a coroutine is plain blocking Java. Where it would block, on Skein's I/O or on any lock, queue or future
 * of the JDK, the coroutine gives way to another on the same worker.
 */
public final class Skein implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.skein");

    static {
        SchedulerAccess.set(skein -> skein.scheduler);
    }

    private final Scheduler scheduler;
    private final DriverKind driver;
    private final int workers;

    /** Starts a runtime with a worker for each processor and the best driver that can be had. */
    public static Skein start() {
        return builder().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * The runtime of the calling coroutine.
     *
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static Skein current() {
        Scheduler current = Scheduler.current();
        if (current == null) {
            throw new IllegalStateException(
                    Thread.currentThread() + " is not a coroutine: call this inside Skein.spawn or Skein.blockOn");
        }
        return current.skein();
    }

    private Skein(Builder builder) {
        this.workers = builder.workers;
        DriverChoice choice = DriverChoice.make(builder.driver, builder.ringEntries);
        this.driver = choice.kind();
        try {
            this.scheduler =
                    new Scheduler(this, choice.backend(), builder.workers, builder.name, builder.failureHandler);
        } catch (IOException e) {
            choice.backend().close();
            throw new IllegalStateException("no driver for a worker: " + e.getMessage(), e);
        }
    }

    /**
     * Runs a body in a coroutine of its own.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public <T extends @Nullable Object> Coroutine<T> spawn(Callable<? extends T> body) {
        return scheduler.spawn(null, Objects.requireNonNull(body, "body"));
    }

    /**
     * Runs a body in a coroutine of its own.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public Coroutine<@Nullable Void> spawn(Action body) {
        return scheduler.spawn(null, asCallable(body));
    }

    /**
     * Runs a body in a coroutine of its own, under a name that stack dumps and errors show.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public <T extends @Nullable Object> Coroutine<T> spawn(String name, Callable<? extends T> body) {
        return scheduler.spawn(Objects.requireNonNull(name, "name"), Objects.requireNonNull(body, "body"));
    }

    /**
     * Runs a body in a coroutine of its own, under a name that stack dumps and errors show.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public Coroutine<@Nullable Void> spawn(String name, Action body) {
        return scheduler.spawn(Objects.requireNonNull(name, "name"), asCallable(body));
    }

    /**
     * Runs a body in a coroutine and waits for its value. Interrupting the caller cancels the coroutine and waits for
     * its end.
     *
     * @throws CompletionException if the body failed; the cause is what it threw
     * @throws CancellationException if the coroutine was cancelled
     * @throws RejectedExecutionException if the runtime is closed
     * @throws InterruptedException if the caller was interrupted
     */
    public <T extends @Nullable Object> T blockOn(Callable<? extends T> body) throws InterruptedException {
        return waitFor(this.<T>spawn(body));
    }

    /** As {@link #blockOn(Callable)}, for a body without a value. */
    public void blockOn(Action body) throws InterruptedException {
        waitFor(spawn(body));
    }

    private static <T extends @Nullable Object> T waitFor(Coroutine<T> coroutine) throws InterruptedException {
        try {
            return coroutine.join();
        } catch (InterruptedException e) {
            coroutine.cancel(true);
            awaitEnd(coroutine);
            throw e;
        }
    }

    private static void awaitEnd(Coroutine<?> coroutine) {
        boolean interrupted = false;
        while (!coroutine.isDone()) {
            try {
                coroutine.join();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (CompletionException | CancellationException e) {
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Callable<@Nullable Void> asCallable(Action body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            body.run();
            return null;
        };
    }

    /** How many workers run coroutines. */
    public int workers() {
        return workers;
    }

    /** The driver that was chosen: {@link DriverKind#URING} or {@link DriverKind#NIO}. */
    public DriverKind driver() {
        return driver;
    }

    /** One line for people: the driver and what it was granted, the workers, and the mode. */
    public String describe() {
        return scheduler.backend().describe() + ", " + workers + (workers == 1 ? " worker" : " workers")
                + (Loom.available()
                        ? ""
                        : ", coroutines on the JDK's scheduler (" + Loom.missingFlags() + " is missing)");
    }

    /**
     * Refuses new work from outside and interrupts every coroutine that lives. Does not wait: {@link #close} does.
     */
    public void shutdownNow() {
        scheduler.interruptAll();
    }

    /**
     * Refuses new work from outside, waits until no coroutine lives, stops the workers and gives everything back.
     * Interrupting the caller hurries it as {@link #shutdownNow} does. A second call waits for the first.
     *
     * @throws IllegalStateException if the caller is a coroutine of this runtime
     */
    @Override
    public void close() {
        scheduler.close();
    }

    @Override
    public String toString() {
        return "Skein[" + describe() + "]";
    }

    private static void logFailure(Coroutine<?> coroutine, Throwable failure) {
        LOG.log(Level.WARNING, coroutine.name() + " failed and nobody was waiting for it", failure);
    }

    /** Options of a runtime. Not safe for use by several threads. */
    public static final class Builder {
        private int workers = Runtime.getRuntime().availableProcessors();
        private DriverKind driver = DriverKind.AUTO;
        private String name = "skein";
        private int ringEntries = 256;
        private BiConsumer<Coroutine<?>, Throwable> failureHandler = Skein::logFailure;

        private Builder() {}

        /** How many workers; by default one for each processor. */
        public Builder workers(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("workers: " + count + "; a runtime needs at least 1");
            }
            workers = count;
            return this;
        }

        /** The driver; by default {@link DriverKind#AUTO}. */
        public Builder driver(DriverKind kind) {
            driver = Objects.requireNonNull(kind, "driver");
            return this;
        }

        /** What the names of the runtime's threads begin with; by default {@code skein}. */
        public Builder name(String prefix) {
            name = Objects.requireNonNull(prefix, "name");
            return this;
        }

        /** The size of each worker's submission queue: a power of two from 2 to 32768; by default 256. */
        public Builder ringEntries(int count) {
            if (count < 2 || count > 32768 || Integer.bitCount(count) != 1) {
                throw new IllegalArgumentException(
                        "ringEntries: " + count + "; it must be a power of two from 2 to 32768");
            }
            ringEntries = count;
            return this;
        }

        /**
         * Who hears of failures that nobody was waiting for; by default they are logged. It is called on a thread
         * that is not a worker.
         */
        public Builder failureHandler(BiConsumer<Coroutine<?>, Throwable> handler) {
            failureHandler = Objects.requireNonNull(handler, "failureHandler");
            return this;
        }

        /**
         * Starts the runtime.
         *
         * @throws IllegalStateException if a driver was asked for that cannot be had, saying why
         */
        public Skein start() {
            return new Skein(this);
        }
    }
}
