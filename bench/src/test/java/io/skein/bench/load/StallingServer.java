package io.skein.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/** For tests: echoes to one connection, but only after a pause before the first reply. */
final class StallingServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Duration pause;

    StallingServer(Duration pause) throws IOException {
        this.pause = pause;
        Thread.startVirtualThread(this::echo);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void echo() {
        try (Socket connection = listener.accept()) {
            InputStream in = connection.getInputStream();
            OutputStream out = connection.getOutputStream();
            byte[] buffer = new byte[1000];
            int first = in.read(buffer);
            Thread.sleep(pause);
            out.write(buffer, 0, first);
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
        } catch (IOException | InterruptedException over) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
