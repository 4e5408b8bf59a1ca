package io.skein.internal.seat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes sockets with the JDK's TLS over sockets of one runtime. Any thread may call it. */
public final class SeatedTlsSocketFactory extends SSLSocketFactory {
    private final SocketFactory plain;
    private final SSLSocketFactory tls;

    /**
     * @param tls whose TLS it is: a context's factory
     */
    public SeatedTlsSocketFactory(SocketFactory plain, SSLSocketFactory tls) {
        this.plain = plain;
        this.tls = tls;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return tls.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return tls.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return tls.createSocket(socket, host, port, autoClose);
    }

    @Override
    public Socket createSocket(Socket socket, @Nullable InputStream consumed, boolean autoClose) throws IOException {
        return tls.createSocket(socket, consumed, autoClose);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return over(plain.createSocket(host, port), host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return over(plain.createSocket(host, port, localHost, localPort), host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return over(plain.createSocket(host, port), host.getHostAddress(), port);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return over(plain.createSocket(address, port, localAddress, localPort), address.getHostAddress(), port);
    }

    private Socket over(Socket connected, String host, int port) throws IOException {
        try {
            return tls.createSocket(connected, host, port, true);
        } catch (IOException | RuntimeException e) {
            connected.close();
            throw e;
        }
    }
}
