package io.skein.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One TCP connection, blocking, for one thread of control at a time. */
interface Link extends Closeable {

    /** Reads some bytes; -1 at the end of the stream. */
    int read(ByteBuffer target) throws IOException;

    /** Writes everything that remains. */
    void write(ByteBuffer source) throws IOException;
}
