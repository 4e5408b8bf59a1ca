package io.skein.net;

import io.skein.Coroutine;
import io.skein.Scope;
import io.skein.Scope.Policy;
import io.skein.Skein;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.sched.SpawnedCoroutine;
import io.skein.sync.Semaphore;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections and serves each in a coroutine of its own. Any thread may call it, handlers excepted where it says so.
 *
 * <pre>{@code
 * try (TcpListener listener = TcpListener.bind("127.0.0.1", 7000);
 *         Server server = Server.serve(listener, options -> options.withLimit(1000), stream -> echo(stream))) {
 *     stopSignal.await();
 * }   // accepts no more, lets the handlers finish, cancels those that take too long
 * }</pre>
 *
 * <p>A handler that fails is told of and hurts nobody; its stream is closed however it ends. At the limit nobody is accepted:
 * the kernel keeps those who come in the listener's backlog. When accepting fails though the listener is open, whatever is thrown, the
 * failure handler hears of it, at most once a minute, and the server tries again after a pause that grows to a second. A listener bears a lack of
 * descriptors, and connections that are gone before they are accepted, itself.
 *
 * <p>How it works: one coroutine accepts. It owns the scope of the handlers, and takes a permit before each accept that the
 * handler gives back. Its cancellation means nothing but to accept no more. Then it closes the listener, waits until no handler
 * lives, and ends, and that is the server's end. Whoever closes the server waits for that, and cancels the scope when the time for draining is
 * over.
 */
public final class Server implements AutoCloseable {
    private static final Duration WITHOUT_END = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * Serves one connection. The server closes the stream afterwards.
     *
     * @param <S> the kind of stream
     */
    @FunctionalInterface
    public interface Handler<S> {
        void serve(S stream) throws Exception;
    }

    /**
     * Where connections come from: a listener.
     *
     * @param <S> the kind of stream
     */
    public interface Acceptor<S extends AutoCloseable> extends AutoCloseable {
        /**
         * Waits for a connection.
         *
         * @throws SocketException if it is closed, now or meanwhile
         * @throws IOException if it cannot accept at the moment; a server tries again
         */
        S accept() throws IOException;

        /** Whether it was not closed. A server ends with its acceptor, and with nothing else that an accept may throw. */
        boolean isOpen();

        /** Stops listening, and wakes the one who accepts. Idempotent. */
        @Override
        void close();
    }

    private final Semaphore places;
    private final Duration drain;
    private final BiConsumer<Coroutine<?>, Throwable> failureHandler;

    /** The runtime's failure handler. */
    private final BiConsumer<Coroutine<?>, Throwable> unheard;

    /** The threads that serve a connection now. */
    private final Set<Thread> serving = ConcurrentHashMap.newKeySet();

    private final AcceptPause pause = new AcceptPause(this::tell);
    private final Coroutine<?> acceptor;

    /** Set by the acceptor before it first accepts. */
    private volatile @Nullable Scope<@Nullable Void, @Nullable Void> handlers;

    private volatile boolean cancelled;

    private <S extends AutoCloseable> Server(
            Skein skein, Acceptor<? extends S> listener, Config config, Handler<? super S> handler) {
        this.places = new Semaphore(config.limit);
        this.drain = config.drain;
        BiConsumer<Coroutine<?>, Throwable> chosen = config.failureHandler;
        this.unheard = Caller.of(skein)::unheard;
        this.failureHandler = chosen != null ? chosen : unheard;
        this.acceptor = skein.spawn("server of " + listener, () -> run(listener, handler));
    }

    /**
     * Serves the connections of a listener until the server, or the listener, is closed. Belongs to the runtime of the calling
     * coroutine, and to nobody's scope.
     *
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static <S extends AutoCloseable> Server serve(Acceptor<? extends S> listener, Handler<? super S> handler) {
        return serve(Skein.current(), listener, options -> options, handler);
    }

    /** As {@link #serve(Acceptor, Handler)}, with options. */
    public static <S extends AutoCloseable> Server serve(
            Acceptor<? extends S> listener, UnaryOperator<Config> options, Handler<? super S> handler) {
        return serve(Skein.current(), listener, options, handler);
    }

    /** As {@link #serve(Acceptor, Handler)}, in the given runtime, which is the listener's, from any thread. */
    public static <S extends AutoCloseable> Server serve(
            Skein skein, Acceptor<? extends S> listener, Handler<? super S> handler) {
        return serve(skein, listener, options -> options, handler);
    }

    /** As {@link #serve(Skein, Acceptor, Handler)}, with options. */
    public static <S extends AutoCloseable> Server serve(
            Skein skein, Acceptor<? extends S> listener, UnaryOperator<Config> options, Handler<? super S> handler) {
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(handler, "handler");
        Config config = Objects.requireNonNull(options.apply(Config.DEFAULT), "options");
        return new Server(skein, listener, config, handler);
    }

    // The acceptor.

    private <S extends AutoCloseable> void run(Acceptor<? extends S> listener, Handler<? super S> handler) {
        try (Scope<@Nullable Void, @Nullable Void> scope =
                Scope.open(new Isolation(), options -> options.withName("connections"))) {
            handlers = scope;
            if (cancelled) { // by somebody who came before there was a scope
                scope.cancel();
            }
            try (listener) {
                acceptAll(scope, listener, handler);
            } catch (Throwable e) { // whatever ends the accepting, it does not end those who are served
                tell(e);
            }
            awaitHandlers(scope);
        }
    }

    private <S extends AutoCloseable> void acceptAll(
            Scope<@Nullable Void, @Nullable Void> scope, Acceptor<? extends S> listener, Handler<? super S> handler) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                places.acquire();
                S stream = acceptOne(listener);
                if (stream == null) {
                    return;
                }
                start(scope, stream, handler);
            }
        } catch (InterruptedException stopped) {
            // asked to accept no more
        }
    }

    /** The next connection, or null when there will be none. */
    private <S extends AutoCloseable> @Nullable S acceptOne(Acceptor<? extends S> listener)
            throws InterruptedException {
        while (true) {
            try {
                S stream = listener.accept();
                pause.over();
                return stream;
            } catch (SocketTimeoutException nobodyCame) {
                // the listener has a timeout of its own; that is no reason to stop
            } catch (Throwable e) { // a failed accept is one peer's matter, whatever it throws
                if (Thread.currentThread().isInterrupted() || !listener.isOpen()) {
                    return null;
                }
                pauseAfter(e);
            }
        }
    }

    private void pauseAfter(Throwable failure) throws InterruptedException {
        try {
            pause.after(failure);
        } catch (RuntimeException | Error e) { // no memory for a pause either: then without
            Thread.onSpinWait();
        }
    }

    private <S extends AutoCloseable> void start(
            Scope<@Nullable Void, @Nullable Void> scope, S stream, Handler<? super S> handler) {
        try {
            var _ = scope.fork(String.valueOf(stream), () -> serve(stream, handler));
        } catch (RuntimeException | Error e) { // too little memory for a coroutine, say
            places.release();
            closeQuietly(stream, e);
            tell(e);
        }
    }

    private <S extends AutoCloseable> void serve(S stream, Handler<? super S> handler) {
        try (stream) {
            serving.add(Thread.currentThread());
            handler.serve(stream);
        } catch (Throwable e) { // whatever it is, it is this connection's
            if (!SpawnedCoroutine.current().isCancelledBy(e)) {
                tell(e);
            }
        } finally {
            serving.remove(Thread.currentThread());
            places.release();
        }
    }

    /** Tells of a failure of the calling coroutine. Who hears may fail as well: then the runtime's handler hears of both. */
    private void tell(Throwable failure) {
        try {
            failureHandler.accept(Coroutine.current(), failure);
        } catch (Throwable e) {
            if (e != failure) {
                e.addSuppressed(failure);
            }
            tellRuntime(e);
        }
    }

    /** No memory to tell anybody is no reason to stop serving. */
    private void tellRuntime(Throwable failure) {
        try {
            unheard.accept(Coroutine.current(), failure);
        } catch (RuntimeException | Error e) {
            // nobody is left to hear of it
        }
    }

    private static void closeQuietly(AutoCloseable stream, Throwable failure) {
        try {
            stream.close();
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
    }

    private static void awaitHandlers(Scope<?, ?> scope) {
        Uninterruptibly.run(scope::join);
    }

    // The end.

    /** How many connections are served at the moment. */
    public int connections() {
        return serving.size();
    }

    /** Whether it still accepts connections, or waits until it may. */
    public boolean isServing() {
        return !acceptor.cancelToken().isCancelled() && !acceptor.isDone();
    }

    /** Accepts no more and closes the listener. Does not wait, and handlers go on; they may call it too. */
    public void stop() {
        acceptor.cancel(true);
    }

    /**
     * Accepts no more, and waits for the handlers; those that have not ended in time are cancelled, and waited for too.
     *
     * @param time how long handlers may go on
     * @return whether all handlers ended without being cancelled by this call
     * @throws InterruptedException if the caller is interrupted; the handlers go on, and nobody is accepted any more
     * @throws IllegalStateException if the caller is a handler of this server, which would wait for itself
     */
    public boolean shutdown(Duration time) throws InterruptedException {
        checkOutside("shut down");
        stop();
        if (awaitEnd(time)) {
            return true;
        }
        cancelHandlers();
        awaitEnd(WITHOUT_END);
        return false;
    }

    /**
     * As {@link #shutdown} with the time that the options give, 10 s by default. Interrupting the caller has the handlers
     * cancelled at once; it returns when they have ended all the same, with the interrupt status set.
     *
     * @throws IllegalStateException if the caller is a handler of this server, which would wait for itself
     */
    @Override
    public void close() {
        checkOutside("close");
        try {
            shutdown(drain);
        } catch (InterruptedException e) {
            cancelHandlers();
            Uninterruptibly.run(this::join);
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until it accepts no more and the last handler has ended.
     *
     * @throws IllegalStateException if the caller is a handler of this server, which would wait for itself
     */
    public void join() throws InterruptedException {
        checkOutside("join");
        awaitEnd(WITHOUT_END);
    }

    private boolean awaitEnd(Duration time) throws InterruptedException {
        try {
            acceptor.get(TimeUnit.NANOSECONDS.convert(time), TimeUnit.NANOSECONDS); // saturates
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the server's own loop failed", e.getCause());
        }
        return true;
    }

    private void cancelHandlers() {
        cancelled = true;
        Scope<?, ?> scope = handlers;
        if (scope != null) {
            scope.cancel();
        }
    }

    private void checkOutside(String what) {
        Thread caller = Thread.currentThread();
        if (caller == acceptor.thread() || serving.contains(caller)) { // the one that accepts calls the failure handler
            throw new IllegalStateException(
                    "a handler cannot " + what + " its own server, for it would wait for itself: call stop()");
        }
    }

    @Override
    public String toString() {
        int served = connections();
        return "Server[" + acceptor.name() + ", " + served + (served == 1 ? " connection" : " connections")
                + (isServing() ? "]" : ", stopped]");
    }

    /** No handler's end says anything about the others. */
    private static final class Isolation implements Policy<@Nullable Void, @Nullable Void> {
        @Override
        public boolean onEnd(Coroutine<? extends @Nullable Void> child) {
            return false;
        }

        @Override
        public @Nullable Void result() {
            return null;
        }
    }

    /** Options of a server. Immutable. */
    public static final class Config {
        private static final Config DEFAULT = new Config(Integer.MAX_VALUE, Duration.ofSeconds(10), null);

        private final int limit;
        private final Duration drain;
        private final @Nullable BiConsumer<Coroutine<?>, Throwable> failureHandler;

        private Config(int limit, Duration drain, @Nullable BiConsumer<Coroutine<?>, Throwable> failureHandler) {
            this.limit = limit;
            this.drain = drain;
            this.failureHandler = failureHandler;
        }

        /** How many connections may be served at once; by default as many as come. */
        public Config withLimit(int connections) {
            if (connections < 1) {
                throw new IllegalArgumentException("limit: " + connections + "; at least 1 must be served");
            }
            return new Config(connections, drain, failureHandler);
        }

        /** How long {@link Server#close} lets handlers go on; by default 10 s. */
        public Config withDrain(Duration time) {
            return new Config(limit, Objects.requireNonNull(time, "time"), failureHandler);
        }

        /**
         * Who hears of a handler's failure, on the handler's coroutine, and of accepts that fail, on the server's own; by
         * default the runtime's failure handler. A peer that resets its connection makes its handler fail too.
         */
        public Config withFailureHandler(BiConsumer<Coroutine<?>, Throwable> handler) {
            return new Config(limit, drain, Objects.requireNonNull(handler, "handler"));
        }
    }
}
