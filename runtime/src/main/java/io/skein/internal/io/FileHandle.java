package io.skein.internal.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file of some backend, read and written by position.
 *
 * <p>Any number of coroutines of its runtime may use it at once; {@link #close} may come from anywhere. A call that was
 * interrupted before it did anything throws {@link java.io.InterruptedIOException}; one that did something returns as
 * usual, and the interrupt status stays set. A file that was not opened for it throws {@link
 * java.nio.channels.NonReadableChannelException} or {@link java.nio.channels.NonWritableChannelException}.
 */
public interface FileHandle {
    /**
     * Fills the target from a position on, as far as the file goes. Fewer bytes come only at the end of the file, when
     * the thread is interrupted, or when reading fails midway; the next call tells why.
     *
     * @return the count of bytes, -1 at the end of the file, 0 only if the target has no room
     */
    int read(ByteBuffer target, long position) throws IOException;

    /** As the other read, with one buffer after the other. */
    long read(ByteBuffer[] targets, long position) throws IOException;

    /** Writes all of the source; when it fails or is interrupted, the source's position says how much. */
    void write(ByteBuffer source, long position) throws IOException;

    /** As the other write, with one buffer after the other. */
    void write(ByteBuffer[] sources, long position) throws IOException;

    /**
     * Copies to another file of the same backend.
     *
     * @return how many bytes: fewer than wanted at the end of this file, or when the thread is interrupted
     */
    long transferTo(long position, long count, FileHandle target, long targetPosition) throws IOException;

    /**
     * Waits until what was written is on the device.
     *
     * @param metadata whether also what is not needed to read the file again, such as its times
     */
    void sync(boolean metadata) throws IOException;

    /** Makes room on the device, and the file longer where it is too short. */
    void allocate(long position, long length) throws IOException;

    /** Makes the file so long: cut off, or filled up with zeros. */
    void resize(long size) throws IOException;

    FileStatus status() throws IOException;

    /** Tells the system what is going to be used how. Whether it listens does not show, but in time. */
    void advise(long position, long length, Advice advice) throws IOException;

    /**
     * Gives the descriptor back: at once, or when the last one inside has left. A call that is inside ends as usual or
     * fails, and one that waits for a pipe or a device is woken where the backend can.
     */
    void close();
}
