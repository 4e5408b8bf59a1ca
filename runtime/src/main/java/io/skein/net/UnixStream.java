package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.ConnectPlan;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.linux.AbstractName;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A connection inside this machine, through a Unix socket. One thread may read while another writes; {@link #close} may come from
 * anywhere.
 *
 * <p>It is used as a {@link TcpStream} is. Its addresses are {@link UnixDomainSocketAddress}es, the client's without a name unless it
 * was bound to one; those of abstract names print as {@code @name}. A client whose name is no text in the JVM's encoding of file names
 * has an address of neither kind, which prints the other bytes as escapes.
 */
public final class UnixStream extends SocketStream {
    UnixStream(Scheduler scheduler, StreamSocket socket) {
        super(scheduler, socket);
    }

    /**
     * Connects to a path, in the runtime of the calling coroutine.
     *
     * @throws java.net.SocketException if nobody listens there
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static UnixStream connect(Path path) throws IOException {
        return connect(Caller.here(), UnixDomainSocketAddress.of(path), Deadline.NONE);
    }

    /**
     * As {@link #connect(Path)}, but gives up after a while: a listener whose backlog is full keeps who connects waiting. With
     * nio it refuses him at once.
     *
     * @throws java.net.SocketTimeoutException if there is no connection when the timeout has passed
     */
    public static UnixStream connect(Path path, Duration timeout) throws IOException {
        return connect(Caller.here(), UnixDomainSocketAddress.of(path), Deadline.timeout(timeout));
    }

    /** Connects to a path in the given runtime, from any thread. */
    public static UnixStream connect(Skein skein, Path path) throws IOException {
        return connect(Caller.of(skein), UnixDomainSocketAddress.of(path), Deadline.NONE);
    }

    /** As {@link #connect(Path, Duration)}, in the given runtime, from any thread. */
    public static UnixStream connect(Skein skein, Path path, Duration timeout) throws IOException {
        return connect(Caller.of(skein), UnixDomainSocketAddress.of(path), Deadline.timeout(timeout));
    }

    /**
     * Connects to an abstract name, which is no file, in the given runtime, from any thread. Linux only. A listener whose backlog
     * is full keeps who connects waiting, with both drivers.
     *
     * @throws java.net.ConnectException if nobody listens there
     * @throws UnsupportedOperationException if the driver is nio and {@code java.lang} is not open to Skein; the text names the
     *     flag that opens it
     */
    public static UnixStream connectAbstract(Skein skein, String name) throws IOException {
        return connect(Caller.of(skein), new AbstractName(name), Deadline.NONE);
    }

    /**
     * As {@link #connectAbstract(Skein, String)}, but gives up after a while.
     *
     * @throws java.net.SocketTimeoutException if there is no connection when the timeout has passed
     */
    public static UnixStream connectAbstract(Skein skein, String name, Duration timeout) throws IOException {
        return connect(Caller.of(skein), new AbstractName(name), Deadline.timeout(timeout));
    }

    private static UnixStream connect(Scheduler scheduler, SocketAddress address, long timeoutNanos)
            throws IOException {
        if (!scheduler.serves()) {
            return Caller.openFromOutside(scheduler, "connect", () -> connect(scheduler, address, timeoutNanos));
        }
        ConnectPlan plan = new ConnectPlan(address, null, List.of(), timeoutNanos);
        return new UnixStream(scheduler, scheduler.backend().connect(scheduler, plan));
    }
}
