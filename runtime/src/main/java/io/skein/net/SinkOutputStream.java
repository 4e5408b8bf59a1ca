package io.skein.net;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A sink as an {@link OutputStream}. One thread writes at a time. */
final class SinkOutputStream extends OutputStream {
    private final ByteSink sink;
    private final byte[] single = new byte[1];

    /** Around the array that was written last: callers use the same again and again. */
    private ByteBuffer wrapper = ByteBuffer.wrap(single);

    SinkOutputStream(ByteSink sink) {
        this.sink = sink;
    }

    @Override
    public void write(int value) throws IOException {
        single[0] = (byte) value;
        write(single, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (wrapper.array() != source) {
            wrapper = ByteBuffer.wrap(source);
        }
        sink.write(wrapper.clear().position(offset).limit(offset + length));
    }

    @Override
    public void flush() throws IOException {
        if (sink instanceof BufferedSink buffered) {
            buffered.flush();
        }
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }
}
