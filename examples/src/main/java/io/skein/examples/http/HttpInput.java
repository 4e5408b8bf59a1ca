package io.skein.examples.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.skein.net.TcpStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The lines and bytes that a client sends. Used by one thread. */
final class HttpInput {
    /** How long the lines of a head may be together. */
    static final int HEAD_LIMIT = 8 << 10;

    private final TcpStream stream;
    private final ByteBuffer buffer = ByteBuffer.allocate(8 << 10).limit(0);
    private int lineBytesLeft;

    HttpInput(TcpStream stream) {
        this.stream = stream;
    }

    /** Begins a head, or the lines after a chunked body. */
    void beginLines() {
        lineBytesLeft = HEAD_LIMIT;
    }

    /** The next line without its end, or null if the client has gone before its first byte. */
    @Nullable
    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(80);
        for (int next = next(); next != '\n'; next = next()) {
            if (next < 0) {
                if (line.size() == 0) {
                    return null;
                }
                throw new EOFException("the client has gone in the middle of a line");
            }
            if (--lineBytesLeft < 0) {
                throw new HttpFailure(431, "more than " + HEAD_LIMIT + " bytes before the body");
            }
            line.write(next);
        }
        String text = line.toString(ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /** As the other, where there has to be one. */
    String lineInside() throws IOException {
        String line = line();
        if (line == null) {
            throw new EOFException("the client has gone in the middle of a request");
        }
        return line;
    }

    byte[] bytes(int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int read = 0; read < count; ) {
            if (!fill()) {
                throw new EOFException("the client has gone in the middle of a body");
            }
            int here = Math.min(count - read, buffer.remaining());
            buffer.get(bytes, read, here);
            read += here;
        }
        return bytes;
    }

    /** Reads on until the client has no more to say, and forgets it. */
    void discard(int most) throws IOException {
        for (int left = most; left > 0 && fill(); buffer.clear().limit(0)) {
            left -= buffer.remaining();
        }
    }

    private int next() throws IOException {
        return fill() ? buffer.get() & 0xff : -1;
    }

    private boolean fill() throws IOException {
        if (buffer.hasRemaining()) {
            return true;
        }
        buffer.clear();
        try {
            return stream.read(buffer) > 0;
        } finally {
            buffer.flip();
        }
    }
}
