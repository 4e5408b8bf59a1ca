package io.skein.net;

import io.skein.Skein;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Connects to hosts by name. Immutable; any thread may use it.
 *
 * <p>A host may have several addresses, and some may be out of reach. A dialer tries them one after the other, IPv6 and IPv4 in
 * turn, without waiting long for any: when an attempt has failed, or has not succeeded within 250 ms, the next one begins beside it.
 * The first connection wins; the other attempts are cancelled and what they opened is closed. This is what RFC 8305 calls
 * Happy Eyeballs. Which family comes first is the resolver's choice: the system property
 * {@code java.net.preferIPv6Addresses} tells the JDK's.
 *
 * <pre>{@code
 * TcpStream stream = Dialer.standard().withTimeout(Duration.ofSeconds(5)).connect("example.org:80");
 * }</pre>
 */
public final class Dialer {
    private static final Duration STAGGER = Duration.ofMillis(250);
    static final Duration LOOK_UP = Duration.ofSeconds(30);
    private static final Duration IN_TURN = Duration.ofSeconds(1);
    private static final Dialer STANDARD = new Dialer(Resolver.system(), STAGGER, LOOK_UP, null, options -> options);

    private final Resolver resolver;
    private final Duration stagger;
    private final Duration lookUp;
    private final @Nullable Duration timeout;
    private final UnaryOperator<TcpStream.Builder> options;

    private Dialer(
            Resolver resolver,
            Duration stagger,
            Duration lookUp,
            @Nullable Duration timeout,
            UnaryOperator<TcpStream.Builder> options) {
        this.resolver = resolver;
        this.stagger = stagger;
        this.lookUp = lookUp;
        this.timeout = timeout;
        this.options = options;
    }

    /** The JDK's resolver, 30 s for a look-up, 250 ms between attempts, no limit for all of it. */
    public static Dialer standard() {
        return STANDARD;
    }

    /** Whom to ask for addresses. */
    public Dialer withResolver(Resolver names) {
        return new Dialer(Objects.requireNonNull(names, "names"), stagger, lookUp, timeout, options);
    }

    /** How long an attempt is alone before the next one begins beside it. */
    public Dialer withStagger(Duration delay) {
        return new Dialer(resolver, Objects.requireNonNull(delay, "delay"), lookUp, timeout, options);
    }

    /** How long a look-up may take. */
    public Dialer withLookUpTimeout(Duration limit) {
        return new Dialer(resolver, stagger, Objects.requireNonNull(limit, "limit"), timeout, options);
    }

    /** How long all of it may take, the look-up included. */
    public Dialer withTimeout(Duration limit) {
        return new Dialer(resolver, stagger, lookUp, Objects.requireNonNull(limit, "limit"), options);
    }

    /** Options of each attempt's stream, such as the address to connect from. Called for each, with a fresh builder. */
    public Dialer withOptions(UnaryOperator<TcpStream.Builder> choice) {
        return new Dialer(resolver, stagger, lookUp, timeout, Objects.requireNonNull(choice, "choice"));
    }

    /**
     * Connects, in the runtime of the calling coroutine.
     *
     * @throws UnknownHostException if nobody knows the host
     * @throws SocketTimeoutException if the look-up, or all of it, took too long
     * @throws ConnectException if no address can be reached; what happened at each is suppressed in it
     * @throws InterruptedIOException if the thread is interrupted
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public TcpStream connect(String host, int port) throws IOException {
        return connect(Caller.here(), new HostPort(host, port));
    }

    /**
     * As {@link #connect(String, int)}, by a text such as {@code example.org:80} or {@code [::1]:80}.
     *
     * @throws IllegalArgumentException if the text is not of that form
     */
    public TcpStream connect(String hostPort) throws IOException {
        return connect(Caller.here(), HostPort.parse(hostPort));
    }

    /** As {@link #connect(String, int)}, in the given runtime, from any thread. */
    public TcpStream connect(Skein skein, String host, int port) throws IOException {
        return connect(Caller.of(skein), new HostPort(host, port));
    }

    /** As {@link #connect(String)}, in the given runtime, from any thread. */
    public TcpStream connect(Skein skein, String hostPort) throws IOException {
        return connect(Caller.of(skein), HostPort.parse(hostPort));
    }

    TcpStream connect(Scheduler scheduler, HostPort target) throws IOException {
        return race(
                scheduler, target, address -> options.apply(TcpStream.builder()).connect(scheduler.skein(), address));
    }

    /** As {@link #connect}, with the attempts made by the caller's own means. */
    <T extends AutoCloseable> T race(Scheduler scheduler, HostPort target, Attempt<T> attempt) throws IOException {
        if (!scheduler.serves()) {
            return Caller.openFromOutside(scheduler, "connect", () -> race(scheduler, target, attempt));
        }
        Duration limit = timeout;
        return limit == null
                ? raceNow(scheduler, target, attempt)
                : Limits.limited(
                        limit,
                        () -> "connect " + target + ": no connection",
                        () -> raceNow(scheduler, target, attempt));
    }

    private <T extends AutoCloseable> T raceNow(Scheduler scheduler, HostPort target, Attempt<T> attempt)
            throws IOException {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (InetAddress address : interleaved(resolve(scheduler, target.host()))) {
            addresses.add(new InetSocketAddress(address, target.port()));
        }
        if (addresses.size() == 1) {
            return attempt.connect(addresses.getFirst());
        }
        if (scheduler.callerIsPinned()) {
            return inTurn(target, attempt, addresses);
        }
        // In a coroutine of its own: the caller may be a thread that a library started in one, which cannot open
        // scopes.
        return Caller.openFromOutside(
                scheduler, "connect", () -> new ConnectRace<>(target, stagger, attempt).run(addresses));
    }

    /**
     * The first connection, the attempts made one after the other by the caller itself: one who holds its worker may wait for no coroutine
     * that would have to run there. Only the last may take longer than a second.
     */
    private static <T extends AutoCloseable> T inTurn(
            HostPort target, Attempt<T> attempt, List<InetSocketAddress> addresses) throws IOException {
        List<Throwable> failures = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            try {
                return failures.size() == addresses.size() - 1
                        ? attempt.connect(address)
                        : Limits.limited(
                                IN_TURN,
                                () -> "connect " + SocketAddresses.text(address) + ": no connection",
                                () -> attempt.connect(address));
            } catch (InterruptedIOException e) {
                if (!(e instanceof SocketTimeoutException)) {
                    throw e;
                }
                failures.add(e);
            } catch (IOException | RuntimeException e) {
                failures.add(e);
            }
        }
        throw ConnectRace.nobody(target, failures);
    }

    /**
     * The addresses of a host, in the resolver's order, found by a coroutine.
     *
     * @throws UnknownHostException if nobody knows it
     * @throws SocketTimeoutException if the look-up took too long
     */
    private List<InetAddress> resolve(Scheduler scheduler, String host) throws IOException {
        if (Caller.isLiteral(host)) {
            return List.of(Caller.resolve(scheduler, host, 0).getAddress());
        }
        return Caller.lookUp(scheduler, resolver, host, lookUp);
    }

    /** The two families in turn, beginning with that of the first address; within each the order stays. */
    static List<InetAddress> interleaved(List<InetAddress> addresses) {
        Deque<InetAddress> preferred = new ArrayDeque<>();
        Deque<InetAddress> other = new ArrayDeque<>();
        boolean six = addresses.getFirst() instanceof Inet6Address;
        for (InetAddress address : addresses) {
            (address instanceof Inet6Address == six ? preferred : other).add(address);
        }
        List<InetAddress> mixed = new ArrayList<>(addresses.size());
        while (!preferred.isEmpty() || !other.isEmpty()) {
            if (!preferred.isEmpty()) {
                mixed.add(preferred.remove());
            }
            if (!other.isEmpty()) {
                mixed.add(other.remove());
            }
        }
        return mixed;
    }

    /**
     * Connects to one address.
     *
     * @param <T> what a connection is
     */
    @FunctionalInterface
    interface Attempt<T extends AutoCloseable> {
        T connect(InetSocketAddress address) throws IOException;
    }
}
