package io.skein.examples;

import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;

/**
 * Cancelling a coroutine interrupts it wherever it waits. This one waits for bytes that nobody sends; the
 * interrupt ends the read, and the coroutine cleans up as any thread would.
 */
public final class Cancellation {

    private Cancellation() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Skein skein = Skein.start()) {
            skein.blockOn(() -> {
                try (TcpListener listener = TcpListener.bind("127.0.0.1", 0);
                        TcpStream silent = TcpStream.connect(listener.localAddress())) {
                    Coroutine<Integer> reader = skein.spawn(() -> readFrom(silent));
                    Thread.sleep(200);
                    reader.cancel(true);
                    try {
                        System.out.println("main: the reader got " + reader.join() + " bytes");
                    } catch (CancellationException e) {
                        System.out.println("main: the reader was cancelled");
                    }
                }
            });
        }
    }

    private static int readFrom(TcpStream stream) throws IOException {
        System.out.println("reader: waiting for bytes");
        try {
            return stream.read(ByteBuffer.allocate(1024));
        } catch (InterruptedIOException e) {
            System.out.println("reader: interrupted, cleaning up");
            throw e;
        }
    }
}
