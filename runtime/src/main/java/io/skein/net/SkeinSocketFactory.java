package io.skein.net;

import io.skein.Skein;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A socket factory for libraries that want the name of a class, such as JDBC drivers. Any thread may call it.
 *
 * <pre>{@code
 * jdbc:postgresql://127.0.0.1/shop?socketFactory=io.skein.net.SkeinSocketFactory
 * }</pre>
 *
 * <p>A socket belongs to the runtime of the coroutine that creates it: it is one of {@link Skein#socketFactory}. A thread that is
 * no coroutine gets an ordinary socket of the JDK.
 */
public final class SkeinSocketFactory extends SocketFactory {
    /** For libraries. */
    public SkeinSocketFactory() {}

    private static SocketFactory chosen() {
        Scheduler current = Scheduler.current();
        return current == null ? SocketFactory.getDefault() : current.skein().socketFactory();
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
