package io.skein.net;

import java.nio.ByteBuffer;
import java.util.List;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A pool of buffers for TLS records, shared by all streams of the process.
 *
 * <p>Any thread may call it; it is lock-free. It keeps some idle buffers and leaves the rest to the garbage collector. Streams hold a
 * buffer only while they have something in it. These are heap buffers, since the JDK's ciphers work on arrays: what is not one they copy
 * piece by piece, which takes more time than sealing it.
 */
final class RecordBuffers {
    /** What a record carries at most. */
    private static final int PLAINTEXT = 16 * 1024;

    /** What the engine puts into one record: in TLS 1.3 not all that would fit, since it pads. */
    static final int FITS_ONE_RECORD = PLAINTEXT - 64;

    private static final int EXPANSION = 1024; // header, padding and authentication need less
    private static final int RECORDS_AT_ONCE = 3;

    /** Room for one record, be it sealed or not. */
    static final RecordBuffers SINGLE = new RecordBuffers(PLAINTEXT + EXPANSION, 256);

    /** Room for several sealed records, which go to the kernel in one call, or for one that is not complete and what comes next. */
    static final RecordBuffers SEVERAL = new RecordBuffers(RECORDS_AT_ONCE * (PLAINTEXT + EXPANSION), 64);

    private static final List<RecordBuffers> ALL = List.of(SINGLE, SEVERAL);

    private final int size;
    private final MpmcVarHandleArrayQueue<ByteBuffer> idle;

    private RecordBuffers(int size, int kept) {
        this.size = size;
        this.idle = new MpmcVarHandleArrayQueue<>(kept);
    }

    int size() {
        return size;
    }

    /** An empty buffer, with whatever it had in it before. */
    ByteBuffer take() {
        @Nullable ByteBuffer buffer = idle.poll();
        return buffer != null ? buffer.clear() : ByteBuffer.allocate(size);
    }

    /** An empty buffer for so many bytes. */
    static ByteBuffer take(int bytes) {
        for (RecordBuffers pool : ALL) {
            if (bytes <= pool.size) {
                return pool.take();
            }
        }
        return ByteBuffer.allocate(bytes); // more than any record that the engine takes
    }

    /** Takes back a buffer that nobody uses any more. One of another size is left to the garbage collector. */
    static void giveBack(ByteBuffer buffer) {
        for (RecordBuffers pool : ALL) {
            if (buffer.capacity() == pool.size) {
                pool.idle.offer(buffer);
            }
        }
    }
}
