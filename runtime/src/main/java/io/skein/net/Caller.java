package io.skein.net;

import io.skein.Skein;
import io.skein.internal.sched.BlockingPool;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Brings a call to where it can be made: a coroutine of the runtime calls on, any other thread waits for a coroutine
 * that makes the call in its place.
 *
 * <p>Any thread may call it.
 */
final class Caller {
    /** A call that does I/O. */
    @FunctionalInterface
    interface Call<T> {
        T make() throws IOException;
    }

    private static final Pattern IPV4 =
            Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)");

    private Caller() {}

    static Scheduler here() {
        return SchedulerAccess.of(Skein.current());
    }

    static Scheduler of(Skein skein) {
        return SchedulerAccess.of(skein);
    }

    /** Makes the call in a coroutine of that runtime, on behalf of a thread that is none. */
    static <T> T fromOutside(Scheduler scheduler, String operation, Call<T> call) throws IOException {
        return await(scheduler, operation, call::make);
    }

    /** As {@link #fromOutside}, for a call that opens a socket. */
    static <T> T openFromOutside(Scheduler scheduler, String operation, Call<T> call) throws IOException {
        return await(scheduler, operation, scheduler.leaks().<T>asked(call::make));
    }

    private static <T> T await(Scheduler scheduler, String operation, Callable<T> call) throws IOException {
        try {
            return scheduler.skein().<T>blockOn(call);
        } catch (RejectedExecutionException e) {
            SocketException closed = new SocketException(operation + ": the runtime is closed");
            closed.initCause(e);
            throw closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(operation + ": interrupted");
            interrupted.initCause(e);
            throw interrupted;
        } catch (CancellationException e) {
            SocketException stopped = new SocketException(operation + ": the runtime was stopped");
            stopped.initCause(e);
            throw stopped;
        } catch (CompletionException e) {
            throw unwrap(e);
        }
    }

    /** An action that does I/O. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    /** As {@link #fromOutside}, for a call without a value. */
    static void runFromOutside(Scheduler scheduler, String operation, Action action) throws IOException {
        boolean _ = fromOutside(scheduler, operation, () -> {
            action.run();
            return true;
        });
    }

    /** Closes a socket: in a coroutine, or by the calling thread itself when the runtime has none any more. */
    static void close(Scheduler scheduler, Runnable closing) {
        if (scheduler.serves()) {
            closing.run();
            return;
        }
        boolean interrupted = Thread.interrupted(); // it must not keep the socket open
        try {
            scheduler.skein().blockOn(closing::run);
        } catch (InterruptedException e) {
            interrupted = true; // the coroutine has ended all the same
        } catch (RejectedExecutionException e) {
            closing.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The failure itself; where it was waited for is attached to it. */
    private static IOException unwrap(CompletionException wrapper) {
        Throwable failure = Objects.requireNonNull(wrapper.getCause());
        failure.addSuppressed(wrapper);
        return switch (failure) {
            case IOException e -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> new IOException(failure);
        };
    }

    /** Looks the host up, in the blocking pool when it is a name. */
    static InetSocketAddress resolve(Scheduler scheduler, String host, int port) throws IOException {
        InetSocketAddress.createUnresolved(host, port); // checks the port
        if (!isLiteral(host)) {
            return new InetSocketAddress(
                    lookUp(scheduler, Resolver.system(), host, Dialer.LOOK_UP).getFirst(), port);
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw unknown(host, e);
        }
    }

    /**
     * The addresses of a host, at least one, in the resolver's order.
     *
     * @throws UnknownHostException if nobody knows it
     * @throws SocketTimeoutException if the look-up takes too long
     */
    static List<InetAddress> lookUp(Scheduler scheduler, Resolver resolver, String host, Duration limit)
            throws IOException {
        BlockingPool pool = scheduler.blockingPool();
        return Limits.limited(
                limit,
                () -> "resolve " + host + ": no answer",
                () -> LookUps.of(pool).ask(pool, resolver, host));
    }

    static UnknownHostException unknown(String host, @Nullable Throwable cause) {
        UnknownHostException named = new UnknownHostException(host + ": unknown host");
        if (cause != null) {
            named.initCause(cause);
        }
        return named;
    }

    /** Whether no look-up is needed. What only looks like an address goes to the pool with the names. */
    static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || IPV4.matcher(host).matches();
    }

    /** The address, looked up if it is not yet. */
    static InetSocketAddress resolved(Scheduler scheduler, InetSocketAddress address) throws IOException {
        return address.isUnresolved() ? resolve(scheduler, address.getHostString(), address.getPort()) : address;
    }
}
