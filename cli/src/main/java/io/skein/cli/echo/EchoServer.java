package io.skein.cli.echo;

import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends back what it receives: one coroutine accepts, and one more serves each connection. It owns the
 * runtime it was given. May be used from any thread.
 *
 * <p>How it stops: {@code stopping} is set first, then every coroutine is interrupted. A coroutine looks at
 * {@code stopping} before each read, so one that was born too late to be interrupted still sees it.
 */
final class EchoServer implements AutoCloseable {

    private static final int BUFFER_BYTES = 16 * 1024;

    /** How long to wait after a failed accept: out of descriptors, it would fail again at once. */
    private static final long ACCEPT_PAUSE_MILLIS = 50;

    private final Skein skein;
    private final TcpListener listener;
    private final Consumer<String> troubles;
    private final Coroutine<@Nullable Void> acceptor;
    private volatile boolean stopping;

    private final LongAdder connections = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder broken = new LongAdder();

    private EchoServer(Skein skein, TcpListener listener, Consumer<String> troubles) {
        this.skein = skein;
        this.listener = listener;
        this.troubles = troubles;
        this.acceptor = skein.spawn("echo-accept", this::acceptAll);
    }

    /**
     * Binds the address and begins to accept.
     *
     * @param troubles hears, a sentence at a time, of what goes wrong without stopping the server
     * @throws IOException if the address cannot be bound; the runtime is then still the caller's to close
     */
    static EchoServer start(Skein skein, InetSocketAddress address, Consumer<String> troubles) throws IOException {
        return new EchoServer(skein, TcpListener.bind(skein, address), troubles);
    }

    /** Where it listens, with the real port. */
    InetSocketAddress address() {
        return listener.localAddress();
    }

    /** Waits until the server accepts no more: it was closed, or accepting failed in a way nobody expected. */
    void awaitEnd() throws InterruptedException {
        try {
            acceptor.join();
        } catch (CancellationException e) {
            // interrupted by close(): an ordinary end
        } catch (CompletionException e) {
            if (!stopping) {
                throw e;
            }
        }
    }

    /** What was served so far, in words; a connection counts when it has ended. */
    String served() {
        return String.format(
                Locale.ROOT,
                "served %,d connections (%,d broke off), %,d messages, %,d bytes",
                connections.sum(),
                broken.sum(),
                messages.sum(),
                bytes.sum());
    }

    /** Stops accepting, interrupts every connection, and waits until all of them and the runtime are closed. */
    @Override
    public void close() {
        stopping = true;
        skein.shutdownNow();
        skein.close();
    }

    private void acceptAll() throws InterruptedException {
        try (listener) {
            boolean failedBefore = false;
            while (!stopping) {
                try {
                    serveApart(listener.accept());
                    failedBefore = false;
                } catch (IOException e) {
                    if (stopping) {
                        return;
                    }
                    if (!failedBefore) {
                        troubles.accept("cannot accept for now: " + e.getMessage());
                    }
                    failedBefore = true;
                    Thread.sleep(ACCEPT_PAUSE_MILLIS);
                }
            }
        }
    }

    private void serveApart(TcpStream stream) {
        try {
            var _ = skein.spawn(() -> serve(stream));
        } catch (RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    private void serve(TcpStream stream) {
        long messagesHere = 0;
        long bytesHere = 0;
        try (stream) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            while (!stopping && stream.read(buffer) >= 0) {
                buffer.flip();
                bytesHere += buffer.remaining();
                stream.write(buffer);
                buffer.clear();
                messagesHere++;
            }
        } catch (IOException e) {
            // Reset by its client, or interrupted by close(): the end of this connection and of nothing else.
            if (!stopping) {
                broken.increment();
            }
        } finally {
            connections.increment();
            messages.add(messagesHere);
            bytes.add(bytesHere);
        }
    }
}
