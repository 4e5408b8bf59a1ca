package io.skein.net;

import io.skein.internal.Uninterruptibly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An echo server of the JDK's sockets and of plain threads: it needs no worker. */
final class PlainEcho implements AutoCloseable {
    private final ServerSocket listener;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    private PlainEcho(ServerSocket listener) {
        this.listener = listener;
    }

    static PlainEcho start() throws IOException {
        PlainEcho echo = new PlainEcho(new ServerSocket(0, 100, InetAddress.ofLiteral("127.0.0.1")));
        echo.start(echo::accept);
        return echo;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void start(Runnable body) {
        threads.add(Thread.ofPlatform().name("echo").daemon().start(body));
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                start(() -> echo(socket));
            }
        } catch (SocketException closed) {
            // the end
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            for (int value = socket.getInputStream().read();
                    value >= 0;
                    value = socket.getInputStream().read()) {
                socket.getOutputStream().write(value);
            }
        } catch (IOException closed) {
            // the end
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        Thread acceptor = threads.element();
        Uninterruptibly.run(acceptor::join); // afterwards there are no more sockets
        for (Socket socket : sockets) {
            socket.close();
        }
        for (Thread thread : threads) {
            Uninterruptibly.run(thread::join);
        }
    }
}
