package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenPlan;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.linux.AbstractName;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * A Unix socket that accepts connections from this machine. One thread accepts at a time; {@link #close} may come from anywhere.
 *
 * <p>A path is a file that {@code bind} makes. It stays when the listener is closed, and whoever wants to bind it again has to
 * delete it first. An abstract name is gone with its listener.
 */
public final class UnixListener extends SocketListener<UnixStream> {
    private static final int BACKLOG = 1024;

    private UnixListener(Scheduler scheduler, ListenerSocket socket) {
        super(scheduler, socket, Deadline.NONE);
    }

    /**
     * Binds a path and listens, in the runtime of the calling coroutine.
     *
     * @throws BindException if there is such a file already
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static UnixListener bind(Path path) throws IOException {
        return bind(Caller.here(), UnixDomainSocketAddress.of(path));
    }

    /** Binds a path and listens in the given runtime, from any thread. */
    public static UnixListener bind(Skein skein, Path path) throws IOException {
        return bind(Caller.of(skein), UnixDomainSocketAddress.of(path));
    }

    /**
     * Binds an abstract name, which is no file, and listens in the given runtime, from any thread. Linux only.
     *
     * @throws BindException if the name is in use
     * @throws UnsupportedOperationException if the driver is nio and {@code java.lang} is not open to Skein; the text names the
     *     flag that opens it
     */
    public static UnixListener bindAbstract(Skein skein, String name) throws IOException {
        return bind(Caller.of(skein), new AbstractName(name));
    }

    private static UnixListener bind(Scheduler scheduler, SocketAddress address) throws IOException {
        if (!scheduler.serves()) {
            return Caller.openFromOutside(scheduler, "bind", () -> bind(scheduler, address));
        }
        ListenPlan plan = new ListenPlan(address, BACKLOG, false, List.of());
        return new UnixListener(scheduler, scheduler.backend().listen(scheduler, plan));
    }

    @Override
    UnixStream stream(Scheduler runtime, StreamSocket accepted) {
        return new UnixStream(runtime, accepted);
    }
}
