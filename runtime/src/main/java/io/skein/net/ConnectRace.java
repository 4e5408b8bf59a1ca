package io.skein.net;

import io.skein.Scope;
import io.skein.Scope.Policy;
import io.skein.internal.linux.SocketAddresses;
import io.skein.sync.Semaphore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to connect, each begun when the one before has failed or has had its time alone. Run once, by a coroutine.
 *
 * <p>Each attempt that connects offers its connection as the {@code winner}; only the first is taken, and every other one
 * closes its own. Each attempt gives a permit when it is over, so that the runner need not wait out the time of one that has
 * failed. When the runner leaves, all attempts have ended: the winner is then returned, even to an interrupted caller, or there is
 * none.
 *
 * @param <T> what a connection is
 */
final class ConnectRace<T extends AutoCloseable> {
    private final HostPort target;
    private final Duration stagger;
    private final Dialer.Attempt<T> attempt;
    private final AtomicReference<@Nullable T> winner = new AtomicReference<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Semaphore over = new Semaphore(0);

    ConnectRace(HostPort target, Duration stagger, Dialer.Attempt<T> attempt) {
        this.target = target;
        this.stagger = stagger;
        this.attempt = attempt;
    }

    T run(List<InetSocketAddress> addresses) throws IOException {
        InterruptedException interrupt = null;
        try (Scope<@Nullable Void, @Nullable Void> scope =
                Scope.open(Policy.allSucceed(), options -> options.withName("connect " + target))) {
            begin(scope, addresses);
            while (winner.get() == null && failures.size() < addresses.size()) {
                over.acquire();
            }
        } catch (InterruptedException e) {
            interrupt = e;
        } // the scope has cancelled and awaited the others
        T connected = winner.get();
        if (interrupt != null) {
            Thread.currentThread().interrupt();
        }
        if (connected != null) {
            return connected;
        }
        throw interrupt == null ? nobody(target, failures) : interrupted(interrupt);
    }

    private void begin(Scope<@Nullable Void, @Nullable Void> scope, List<InetSocketAddress> addresses)
            throws InterruptedException {
        for (InetSocketAddress address : addresses) {
            var _ = scope.fork("connect " + SocketAddresses.text(address), () -> attempt(address));
            if (over.tryAcquire(stagger) && winner.get() != null) {
                return;
            }
        }
    }

    private void attempt(InetSocketAddress address) {
        try {
            T connection = attempt.connect(address);
            if (!winner.compareAndSet(null, connection)) {
                connection.close();
            }
        } catch (Throwable e) { // an attempt's failure is the race's affair
            failures.add(e);
        } finally {
            over.release();
        }
    }

    /** What is thrown when each address has failed. */
    static IOException nobody(HostPort target, Collection<Throwable> failures) {
        List<String> told = failures.stream().map(ConnectRace::message).toList();
        ConnectException exception = new ConnectException(
                "connect " + target + ": none of " + told.size() + " addresses: " + String.join("; ", told));
        failures.forEach(exception::addSuppressed);
        return exception;
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

    private IOException interrupted(InterruptedException cause) {
        InterruptedIOException exception = new InterruptedIOException("connect " + target + ": interrupted");
        exception.initCause(cause);
        return exception;
    }
}
