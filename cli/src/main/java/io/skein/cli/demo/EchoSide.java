package io.skein.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The serving half of the demo: one thread of control accepts, and one more echoes on each connection. */
final class EchoSide implements Closeable {

    private final Contender contender;
    private final LinkListener listener;
    private final int bufferBytes;
    private final FirstFailure failure;
    private volatile boolean closed;

    private EchoSide(Contender contender, LinkListener listener, int bufferBytes, FirstFailure failure) {
        this.contender = contender;
        this.listener = listener;
        this.bufferBytes = bufferBytes;
        this.failure = failure;
    }

    /** Listens on a free port and begins to accept. */
    static EchoSide start(Contender contender, int bufferBytes, FirstFailure failure) throws IOException {
        EchoSide side = new EchoSide(contender, contender.listen(), bufferBytes, failure);
        contender.spawn(side::acceptAll);
        return side;
    }

    InetSocketAddress address() throws IOException {
        return listener.address();
    }

    /** Ends the accepting; connections end with their clients. */
    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
    }

    private void acceptAll() {
        try {
            while (true) {
                Link link = listener.accept();
                contender.spawn(() -> echo(link));
            }
        } catch (IOException e) {
            if (!closed) {
                failure.report(contender.name() + ": the server", e);
            }
        }
    }

    private void echo(Link link) {
        try (link) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bufferBytes);
            while (link.read(buffer) >= 0) {
                buffer.flip();
                link.write(buffer);
                buffer.clear();
            }
        } catch (IOException e) {
            // the client hears of it as the end of its stream, and reports it
        }
    }
}
