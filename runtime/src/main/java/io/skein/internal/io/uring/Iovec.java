package io.skein.internal.io.uring;

import io.skein.internal.linux.Memory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Several buffers as {@code readv} and {@code writev} take them, in one buffer of {@link NativeBuffers}: first the entries,
 * behind them room for the bytes of heap buffers.
 *
 * <p>One thread uses it, for one call.
 */
final class Iovec {
    private static final int MOST_ENTRIES = 64;
    private static final int ENTRY_SIZE = 16;
    private static final int ENTRY_LENGTH = 8;

    private final long memory;
    private final int size;

    /** Whether all of the bytes are in the memory, too. */
    private boolean inside = true;

    Iovec(long memory) {
        this(memory, NativeBuffers.SIZE);
    }

    /** In a part of a buffer. */
    Iovec(long memory, int size) {
        this.memory = memory;
        this.size = size;
    }

    /**
     * Lays out as many of the buffers as fit into one call.
     *
     * @param contents whether their bytes are to be written
     * @return how many entries there are
     */
    int layOut(ByteBuffer[] buffers, boolean contents) {
        long room = memory + MOST_ENTRIES * ENTRY_SIZE;
        long end = memory + size;
        int entries = 0;
        long left = UringFile.MOST_AT_ONCE;
        for (ByteBuffer buffer : buffers) {
            int length = (int) Math.min(buffer.remaining(), buffer.isDirect() ? left : end - room);
            if (length > 0) {
                put(
                        entries++,
                        buffer.isDirect() ? MemorySegment.ofBuffer(buffer).address() : room,
                        length);
                left -= length;
            }
            inside &= length == 0 || !buffer.isDirect();
            if (length > 0 && !buffer.isDirect()) {
                if (contents) {
                    copy(buffer, room, length);
                }
                room += length;
            }
            if (length < buffer.remaining() || entries == MOST_ENTRIES) {
                break; // the rest goes with the next call
            }
        }
        return entries;
    }

    /** Whether no bytes but those of the memory itself are named. */
    boolean isInside() {
        return inside;
    }

    private void put(int entry, long address, int length) {
        Memory.plainLong(memory + (long) entry * ENTRY_SIZE, address);
        Memory.plainLong(memory + (long) entry * ENTRY_SIZE + ENTRY_LENGTH, length);
    }

    /**
     * Moves the buffers' positions by what was transferred.
     *
     * @param contents whether bytes were read, which heap buffers get now
     */
    void settle(ByteBuffer[] buffers, long count, boolean contents) {
        long left = count;
        long entry = memory;
        for (ByteBuffer buffer : buffers) {
            if (left == 0) {
                return;
            }
            if (buffer.hasRemaining()) { // only such have an entry
                int length = (int) Math.min(left, Memory.plainLong(entry + ENTRY_LENGTH));
                if (contents && !buffer.isDirect()) {
                    copy(Memory.plainLong(entry), buffer, length);
                }
                buffer.position(buffer.position() + length);
                left -= length;
                entry += ENTRY_SIZE;
            }
        }
    }

    /** Copies from a heap buffer's position, read-only or not. */
    static void copy(ByteBuffer source, long target, int length) {
        if (source.hasArray()) {
            Memory.copy(source.array(), source.arrayOffset() + source.position(), target, length);
        } else {
            Memory.range(target, length).copyFrom(MemorySegment.ofBuffer(source).asSlice(0, length));
        }
    }

    /** Copies to a heap buffer's position. */
    static void copy(long source, ByteBuffer target, int length) {
        Memory.copy(source, target.array(), target.arrayOffset() + target.position(), length);
    }
}
