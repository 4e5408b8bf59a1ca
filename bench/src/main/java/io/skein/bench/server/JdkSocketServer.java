package io.skein.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** The JDK's oldest: one virtual thread per connection, {@link Socket} and its streams, an array each. */
final class JdkSocketServer implements Server {
    private final ServerSocket listener;
    private final int bufferSize;
    private final Computing work;

    /** Takes over the listener. */
    JdkSocketServer(ServerSocket listener, int bufferSize, Computing work) {
        this.listener = listener;
        this.bufferSize = bufferSize;
        this.work = work;
        Thread.ofVirtual().name("accept").start(this::accept);
    }

    static JdkSocketServer start(Setting setting) throws IOException {
        setting.requireEcho();
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        return new JdkSocketServer(listener, setting.bufferSize(), setting.work());
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = listener.accept();
                connection.setTcpNoDelay(true);
                Thread.startVirtualThread(() -> echo(connection));
            }
        } catch (SocketException closed) {
            return;
        } catch (IOException failure) {
            System.err.println("accept: " + failure);
        }
    }

    private void echo(Socket connection) {
        try (connection) {
            byte[] buffer = new byte[bufferSize];
            InputStream in = connection.getInputStream();
            OutputStream out = connection.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                work.run();
                out.write(buffer, 0, count);
            }
        } catch (IOException endOfConnection) {
            // The client went away in the middle of an echo: nothing to tell anybody.
        }
    }

    @Override
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public String describe() {
        return "virtual threads and java.net.Socket, JDK " + Runtime.version();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
