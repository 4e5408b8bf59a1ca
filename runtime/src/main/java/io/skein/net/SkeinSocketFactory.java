package io.skein.net;

import io.skein.Skein;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.seat.OrdinarySockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A socket factory for libraries that want the name of a class, such as JDBC drivers. Any thread may call it.
 *
 * <pre>{@code
 * jdbc:postgresql://127.0.0.1/shop?socketFactory=io.skein.net.SkeinSocketFactory&socketFactoryArg=shop
 * }</pre>
 *
 * <p>With an argument the sockets are those of the {@linkplain Skein#named runtime of that name}, whoever creates
 * them. Without, a socket belongs to the runtime of the coroutine that creates it, and else to the {@linkplain
 * Skein#byDefault default runtime}. If there is none, it is an ordinary socket of the JDK: the first one of a
 * process is told to the log, and {@link Skein#metrics} counts them all.
 *
 * @see Skein#socketFactory
 */
public final class SkeinSocketFactory extends SocketFactory {
    private final @Nullable String runtime;
    private final OrdinarySockets ordinary;

    /** For libraries that have no argument to give. */
    public SkeinSocketFactory() {
        this(null);
    }

    /**
     * For libraries that can give an argument, such as PostgreSQL's driver the {@code socketFactoryArg} of its URL.
     *
     * @param runtime the name of a runtime, which must be running when a socket is created; null, as such libraries
     *     have it where nothing is set, is as no argument
     */
    public SkeinSocketFactory(@Nullable String runtime) {
        this(runtime, OrdinarySockets.ofProcess());
    }

    SkeinSocketFactory(@Nullable String runtime, OrdinarySockets ordinary) {
        this.runtime = runtime;
        this.ordinary = ordinary;
    }

    private SocketFactory chosen() throws SocketException {
        if (runtime != null) {
            return named(runtime).socketFactory();
        }
        Scheduler current = Scheduler.current();
        Optional<Skein> chosen = current != null ? Optional.of(current.skein()) : Skein.byDefault();
        return chosen.map(Skein::socketFactory)
                .orElseGet(() ->
                        ordinary.factory(() -> "SkeinSocketFactory has made an ordinary socket of the JDK, because "
                                + Thread.currentThread()
                                + " is no coroutine, the process has no default runtime, and no runtime"
                                + " was named: see SkeinBuilder.asDefault and socketFactoryArg"));
    }

    private static Skein named(String runtime) throws SocketException {
        try {
            return Skein.named(runtime)
                    .orElseThrow(() -> new SocketException("SkeinSocketFactory: no runtime is running that is named "
                            + runtime + "; it gets its name by SkeinBuilder.name"));
        } catch (IllegalStateException e) {
            SocketException several = new SocketException("SkeinSocketFactory: " + e.getMessage());
            several.initCause(e);
            throw several;
        }
    }

    @Override
    public Socket createSocket() throws IOException {
        return chosen().createSocket();
    }

    @Override
    public Socket createSocket(@Nullable String host, int port) throws IOException {
        return chosen().createSocket(host, port);
    }

    @Override
    public Socket createSocket(@Nullable String host, int port, InetAddress localHost, int localPort)
            throws IOException {
        return chosen().createSocket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return chosen().createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return chosen().createSocket(address, port, localAddress, localPort);
    }
}
