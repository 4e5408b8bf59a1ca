package io.skein.internal.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;

/** Sends files through a buffer, where the kernel cannot do without. Any thread may call it that a runtime serves. */
public final class FileCopy {
    private static final int SIZE = 64 * 1024;

    private FileCopy() {}

    /** What {@link StreamSocket#sendFile} does. */
    public static long send(StreamSocket socket, FileHandle file, long position, long count, long timeoutNanos)
            throws IOException {
        long deadline = Deadline.after(timeoutNanos);
        ByteBuffer buffer =
                ByteBuffer.allocateDirect((int) Math.min(SIZE, count)).flip();
        long sent = 0;
        while (sent < count) {
            try {
                buffer.clear().limit((int) Math.min(buffer.capacity(), count - sent));
                if (file.read(buffer, position + sent) < 0) {
                    break;
                }
                socket.write(buffer.flip(), Deadline.left(deadline));
                sent += buffer.limit();
            } catch (InterruptedIOException e) { // a timeout is one, too
                sent += buffer.position();
                if (sent == 0) {
                    throw e;
                }
                break;
            }
        }
        return sent;
    }
}
