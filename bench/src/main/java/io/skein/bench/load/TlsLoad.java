package io.skein.bench.load;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Encrypted requests and replies in a closed loop, by a virtual thread and an {@code SSLSocket} of the JDK each. It costs
 * about what a server costs, so the server's CPU per request says more than the throughput.
 *
 * <p>The window is used under a lock by all threads.
 */
public final class TlsLoad implements LoadGenerator {
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    /** What all servers encrypt with: left to themselves some would choose a cheaper cipher than others. */
    static final String CIPHER_SUITE = "TLS_AES_256_GCM_SHA384";

    private final ReentrantLock lock = new ReentrantLock();

    @Override
    public String describe() {
        return "virtual threads and SSLSocket, " + CIPHER_SUITE;
    }

    @Override
    public LoadReport run(LoadOrder order) throws IOException {
        MeasuredWindow window = new MeasuredWindow(order);
        List<Socket> sockets = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> drivers = new ArrayList<>();
            try {
                SSLContext context = trustingAnyServer();
                for (int i = 0; i < order.connections(); i++) {
                    sockets.add(connect(context, order.port()));
                }
                lock.lock();
                try {
                    window.startRamp(System.nanoTime());
                } finally {
                    lock.unlock();
                }
                sockets.forEach(socket -> drivers.add(threads.submit(() -> drive(socket, order.size(), window))));
                while (runs(window)) {
                    drivers.stream().filter(Future::isDone).findAny().ifPresent(TlsLoad::rethrow);
                    LockSupport.parkNanos(LOOK_AGAIN_NANOS);
                }
            } catch (CompletionException failure) {
                throw new IOException("a connection broke during the run: " + failure.getCause(), failure);
            } finally {
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
        return window.report();
    }

    static SSLSocket connect(SSLContext context, int port) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        try {
            socket.setTcpNoDelay(true);
            socket.setEnabledCipherSuites(new String[] {CIPHER_SUITE});
            socket.startHandshake();
            return socket;
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    private boolean runs(MeasuredWindow window) throws IOException {
        lock.lock();
        try {
            return window.runsAt(System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Until the socket is closed. */
    private Void drive(Socket socket, int size, MeasuredWindow window) throws IOException {
        byte[] request = new byte[size];
        Arrays.fill(request, (byte) 'x');
        byte[] reply = new byte[size];
        OutputStream out = socket.getOutputStream();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            long sentAt = System.nanoTime();
            out.write(request);
            in.readFully(reply);
            if (!Arrays.equals(request, reply)) {
                throw new IOException("the reply is not what was sent");
            }
            long latency = System.nanoTime() - sentAt;
            lock.lock();
            try {
                window.reply(latency);
            } finally {
                lock.unlock();
            }
        }
    }

    private static void rethrow(Future<?> ended) {
        try {
            ended.get();
        } catch (ExecutionException failure) {
            throw new CompletionException(failure.getCause());
        } catch (InterruptedException hurry) {
            throw new CompletionException(hurry);
        }
    }

    /** The server is the one that the harness has just started, with a certificate made for the occasion. */
    static SSLContext trustingAnyServer() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            return context;
        } catch (GeneralSecurityException failure) {
            throw new IOException("no TLS in this JDK: " + failure.getMessage(), failure);
        }
    }

    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Override
    public void close() {}
}
