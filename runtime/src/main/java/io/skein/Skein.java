package io.skein;

import io.skein.internal.loom.InheritedContext;
import io.skein.internal.loom.Loom;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import io.skein.internal.seat.OrdinarySockets;
import io.skein.internal.seat.SeatedServerSocketFactory;
import io.skein.internal.seat.SeatedSocketChannel;
import io.skein.internal.seat.SeatedSocketFactory;
import io.skein.internal.seat.SeatedTlsSocketFactory;
import io.skein.internal.task.Outcome;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future.State;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
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
    static {
        SchedulerAccess.set(skein -> skein.scheduler);
    }

    private final Scheduler scheduler;
    private final DriverKind driver;
    private final int workers;
    private final String name;

    /** Starts a runtime with a worker for each processor and the best driver that can be had. */
    public static Skein start() {
        return builder().start();
    }

    public static SkeinBuilder builder() {
        return new SkeinBuilder();
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

    /**
     * The runtime of a name, as {@link SkeinBuilder#name} gave it: for what can be told a name and no more, such as
     * a setting of a library.
     *
     * @return empty if there is none, or it refuses new work
     * @throws IllegalStateException if several runtimes have that name
     */
    public static Optional<Skein> named(String name) {
        return Runtimes.named(Objects.requireNonNull(name, "name"));
    }

    /**
     * The runtime that was started {@linkplain SkeinBuilder#asDefault as the process's default}; empty if there is
     * none.
     */
    public static Optional<Skein> byDefault() {
        return Runtimes.byDefault();
    }

    Skein(SkeinBuilder builder) {
        RequiredJars.check();
        RequiredJvm.check();
        this.workers = builder.workers();
        this.name = builder.settings().name();
        DriverChoice choice = builder.driverChoice();
        Scheduler started;
        try {
            started = start(choice, builder);
        } catch (IOException e) {
            if (!choice.replaceable()) {
                throw new IllegalStateException("no driver for a worker: " + e.getMessage(), e);
            }
            choice = DriverChoice.insteadOf(choice, e);
            try {
                started = start(choice, builder);
            } catch (IOException again) {
                throw new IllegalStateException("no driver for a worker: " + again.getMessage(), again);
            }
        }
        this.driver = choice.kind();
        this.scheduler = started;
        try {
            Runtimes.add(this, builder.isDefault());
        } catch (IllegalStateException e) {
            started.close();
            throw e;
        }
    }

    private Scheduler start(DriverChoice choice, SkeinBuilder builder) throws IOException {
        try {
            return new Scheduler(this, choice.backend(), builder.settings());
        } catch (IOException | RuntimeException | Error e) {
            choice.backend().close();
            throw e;
        }
    }

    /**
     * Runs a body in a coroutine of its own.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public <T extends @Nullable Object> Coroutine<T> spawn(Callable<? extends T> body) {
        return scheduler.spawn(null, null, false, Objects.requireNonNull(body, "body"));
    }

    /**
     * Runs a body in a coroutine of its own.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public Coroutine<@Nullable Void> spawn(Action body) {
        return scheduler.spawn(null, null, false, asCallable(body));
    }

    /**
     * Runs a body in a coroutine of its own, under a name that stack dumps and errors show.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public <T extends @Nullable Object> Coroutine<T> spawn(String name, Callable<? extends T> body) {
        return scheduler.spawn(Objects.requireNonNull(name, "name"), null, false, Objects.requireNonNull(body, "body"));
    }

    /**
     * Runs a body in a coroutine of its own, under a name that stack dumps and errors show.
     *
     * @throws RejectedExecutionException if the runtime is closed
     */
    public Coroutine<@Nullable Void> spawn(String name, Action body) {
        return scheduler.spawn(Objects.requireNonNull(name, "name"), null, false, asCallable(body));
    }

    /**
     * Runs a body in a coroutine of its own that starts where the dispatch says.
     *
     * @throws RejectedExecutionException if the runtime is closed
     * @throws IndexOutOfBoundsException if the dispatch names a worker that there is not
     */
    public <T extends @Nullable Object> Coroutine<T> spawn(Dispatch dispatch, Callable<? extends T> body) {
        return scheduler.spawn(
                null, Objects.requireNonNull(dispatch, "dispatch"), false, Objects.requireNonNull(body, "body"));
    }

    /** As {@link #spawn(Dispatch, Callable)}, for a body without a value. */
    public Coroutine<@Nullable Void> spawn(Dispatch dispatch, Action body) {
        return scheduler.spawn(null, Objects.requireNonNull(dispatch, "dispatch"), false, asCallable(body));
    }

    /**
     * Runs a body in a coroutine of its own that starts on one worker, and stays there under {@link Scheduling#PINNED}.
     *
     * @param worker the worker's number, from 0
     * @throws RejectedExecutionException if the runtime is closed
     * @throws IndexOutOfBoundsException if there is no such worker
     */
    public <T extends @Nullable Object> Coroutine<T> spawnOn(int worker, Callable<? extends T> body) {
        return spawn(Dispatch.to(worker), body);
    }

    /** As {@link #spawnOn(int, Callable)}, for a body without a value. */
    public Coroutine<@Nullable Void> spawnOn(int worker, Action body) {
        return spawn(Dispatch.to(worker), body);
    }

    /**
     * Runs code that would block a worker on a thread of the runtime's blocking pool, while the calling coroutine waits.
     * For file I/O of the JDK, native code, and long computations. An interrupt of the caller reaches the code. A caller
     * that is not a coroutine runs the code itself.
     *
     * <p>The code finds what a thread would inherit that the caller started: the context class loader, and given the
     * flags that the guide names, inheritable thread locals and scoped values. The pool's thread forgets them
     * afterwards, and with the flags also the thread locals that the code has set. For any other context, such as a
     * logger's, see {@link #blocking(Scope.Carrier, Callable)}.
     *
     * @return what the code returned
     * @throws Exception what the code threw
     * @throws InterruptedException if the caller was interrupted; the code may still be running
     */
    public static <T extends @Nullable Object> T blocking(Callable<T> code) throws Exception {
        Scheduler current = Scheduler.current();
        return current == null ? code.call() : current.blockingPool().call(InheritedContext.around(code));
    }

    /**
     * As {@link #blocking(Callable)}, with a carrier that brings any other context of the caller along, as it does in a
     * {@link Scope}.
     */
    public static <T extends @Nullable Object> T blocking(Scope.Carrier context, Callable<T> code) throws Exception {
        return blocking(context.wrap(Objects.requireNonNull(code, "code")));
    }

    /**
     * An executor that runs each task in a coroutine of its own. Shutting it down does not close the runtime; closing
     * the runtime makes it refuse tasks. What a task of {@link ExecutorService#execute execute} throws goes where it
     * goes with {@link #threadFactory()}.
     */
    public ExecutorService executor() {
        return Executors.newThreadPerTaskExecutor(threadFactory());
    }

    /** As {@link #executor()}, with the names that {@link #threadFactory(String)} gives. */
    public ExecutorService executor(String name) {
        return Executors.newThreadPerTaskExecutor(threadFactory(name));
    }

    /**
     * Makes threads that are coroutines. One that is started after the runtime was closed fails to start with
     * {@link RejectedExecutionException}. What a body throws goes to the {@linkplain Thread#setUncaughtExceptionHandler
     * handler of its thread}, or else to the {@linkplain Thread#setDefaultUncaughtExceptionHandler default one}, which
     * the thread itself calls; where neither is set, it goes to the runtime's failure handler.
     */
    public ThreadFactory threadFactory() {
        return body -> scheduler.unstarted(null, body);
    }

    /**
     * As {@link #threadFactory()}, with threads whose names are this one and their numbers: {@code name-0}, {@code
     * name-1}, ...
     */
    public ThreadFactory threadFactory(String name) {
        Objects.requireNonNull(name, "name");
        AtomicLong made = new AtomicLong();
        return body -> scheduler.unstarted(name + "-" + made.getAndIncrement(), body);
    }

    /**
     * Makes {@link java.net.Socket}s for libraries that want them. In a coroutine of this runtime they suspend it; any other
     * thread may use them too, which costs more. They keep to what the JDK documents, and differ so: an address to
     * {@linkplain java.net.Socket#bind bind} is bound when the socket connects; {@code TCP_NODELAY} is on at first; an
     * unresolved address is looked up, without holding the worker; there is no urgent data.
     */
    public SocketFactory socketFactory() {
        return new SeatedSocketFactory(scheduler);
    }

    /**
     * Opens a {@link SocketChannel} for a library that wants one. It blocks, as channels do at first, which suspends a coroutine of this
     * runtime; any other thread may use it too. It keeps to what the JDK documents: whoever is interrupted in it closes it. It
     * differs so: it cannot be made non-blocking, and no selector takes it, for what a selector is good for coroutines do;
     * addresses are as those of {@link #socketFactory}, and its {@linkplain SocketChannel#socket() socket} is one of those.
     */
    public SocketChannel openSocketChannel() throws IOException {
        return new SeatedSocketChannel(scheduler);
    }

    /** Makes {@link java.net.ServerSocket}s whose sockets are as those of {@link #socketFactory}. */
    public ServerSocketFactory serverSocketFactory() {
        return new SeatedServerSocketFactory(scheduler);
    }

    /** Makes sockets with the context's TLS over those of {@link #socketFactory}; only connected ones. */
    public SSLSocketFactory sslSocketFactory(SSLContext context) {
        return new SeatedTlsSocketFactory(socketFactory(), context.getSocketFactory());
    }

    /** What the runtime has done so far. */
    public Metrics metrics() {
        return scheduler.metrics(OrdinarySockets.ofProcess().count());
    }

    /**
     * Runs a body in a coroutine and waits for its value. Interrupting the caller cancels the coroutine and waits for
     * its end; a value that it has in spite of that is returned, and the interrupt status stays set.
     *
     * @throws CompletionException if the body failed; the cause is what it threw
     * @throws CancellationException if the coroutine was cancelled
     * @throws RejectedExecutionException if the runtime is closed
     * @throws InterruptedException if the caller was interrupted; what is suppressed shows where the coroutine was
     */
    public <T extends @Nullable Object> T blockOn(Callable<? extends T> body) throws InterruptedException {
        return waitFor(scheduler.<T>spawn(null, null, true, Objects.requireNonNull(body, "body")));
    }

    /** As {@link #blockOn(Callable)}, for a body without a value. */
    public void blockOn(Action body) throws InterruptedException {
        waitFor(scheduler.spawn(null, null, true, asCallable(body)));
    }

    /** Waits; when interrupted, cancels and waits for the end, which may still be a success. */
    private static <T extends @Nullable Object> T waitFor(Coroutine<T> coroutine) throws InterruptedException {
        try {
            return coroutine.join();
        } catch (InterruptedException e) {
            coroutine.cancel(true);
            Throwable ending = awaitEnd(coroutine);
            if (coroutine.state() == State.SUCCESS) {
                Thread.currentThread().interrupt();
                return coroutine.resultNow();
            }
            if (ending != null && (coroutine.state() == State.FAILED || !Outcome.isInterruption(ending))) {
                e.addSuppressed(ending);
            }
            throw e;
        }
    }

    /** Waits for the end, past any interrupt, and returns what the body threw; null if it has a value. */
    private static @Nullable Throwable awaitEnd(Coroutine<?> coroutine) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    coroutine.join();
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (CompletionException | CancellationException e) {
                    return e.getCause();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Callable<@Nullable Void> asCallable(Action body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            body.run();
            return null;
        };
    }

    /** What its threads' names begin with. */
    public String name() {
        return name;
    }

    /** Whether it takes new work from outside. */
    boolean isOpen() {
        return !scheduler.isRefusing();
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
     * Waits until no coroutine lives, then stops as {@link #close} does. Until that moment anybody may spawn.
     *
     * @throws InterruptedException if the caller is interrupted; the runtime goes on
     * @throws IllegalStateException if the caller is a coroutine of this runtime
     */
    public void loop() throws InterruptedException {
        scheduler.loop();
        Runtimes.remove(this);
    }

    /**
     * As {@link #close()}, but waits for coroutines no longer than the bound. On false the runtime refuses new work from
     * outside and its coroutines go on: {@link #shutdownNow} interrupts them, and closing again waits again.
     *
     * @return whether everything has ended and was given back
     * @throws InterruptedException if the caller is interrupted
     * @throws IllegalStateException if the caller is a coroutine of this runtime
     */
    public boolean close(Duration bound) throws InterruptedException {
        boolean closed = scheduler.close(TimeUnit.NANOSECONDS.convert(bound), TimeUnit.NANOSECONDS); // saturates
        if (closed) {
            Runtimes.remove(this);
        }
        return closed;
    }

    /**
     * {@link #shutdownNow()} and {@link #close(Duration)} together.
     *
     * @return whether everything has ended and was given back
     * @throws InterruptedException if the caller is interrupted
     * @throws IllegalStateException if the caller is a coroutine of this runtime
     */
    public boolean shutdownNow(Duration bound) throws InterruptedException {
        scheduler.checkOutside(); // before anybody is interrupted, the caller above all
        shutdownNow();
        return close(bound);
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
        Runtimes.remove(this);
    }

    @Override
    public String toString() {
        return "Skein[" + describe() + "]";
    }
}
