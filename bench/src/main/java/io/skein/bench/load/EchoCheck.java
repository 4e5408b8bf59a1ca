package io.skein.bench.load;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import javax.net.SocketFactory;

/**
 * Sees that a server echoes what it was sent, byte for byte. It runs before the rounds, because a load generator that
 * counts bytes without looking at them is a cheaper one.
 */
public final class EchoCheck {
    private static final int MESSAGES = 200;
    private static final int TIMEOUT_MILLIS = 30_000;

    private EchoCheck() {}

    /** Throws an {@link IOException} that says what came back wrong. */
    public static void run(int port, int size) throws IOException {
        run(SocketFactory.getDefault(), port, size);
    }

    /** The same of a server that encrypts. */
    public static void runEncrypted(int port, int size) throws IOException {
        run(TlsLoad.trustingAnyServer().getSocketFactory(), port, size);
    }

    private static void run(SocketFactory sockets, int port, int size) throws IOException {
        Random random = new Random(size);
        try (Socket socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            OutputStream out = socket.getOutputStream();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int message = 0; message < MESSAGES; message++) {
                byte[] request = new byte[1 + random.nextInt(2 * size)];
                random.nextBytes(request);
                out.write(request);
                byte[] reply = new byte[request.length];
                in.readFully(reply);
                int wrong = Arrays.mismatch(request, reply);
                if (wrong >= 0) {
                    throw new IOException("message " + message + " of " + request.length
                            + " bytes came back different from byte " + wrong + " on");
                }
            }
        }
    }
}
