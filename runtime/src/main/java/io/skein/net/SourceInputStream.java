package io.skein.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A source as an {@link InputStream}. One thread reads at a time. */
final class SourceInputStream extends InputStream {
    private final ByteSource source;
    private final byte[] single = new byte[1];

    /** Around the array that was read into last: callers use the same again and again. */
    private ByteBuffer wrapper = ByteBuffer.wrap(single);

    SourceInputStream(ByteSource source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (wrapper.array() != target) {
            wrapper = ByteBuffer.wrap(target);
        }
        return source.read(wrapper.clear().position(offset).limit(offset + length));
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
