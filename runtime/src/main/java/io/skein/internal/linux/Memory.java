package io.skein.internal.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Native memory by absolute address, with the memory order in each accessor's name.
 *
 * <p>Any thread may call it; nothing is checked. The rings are mapped once and unmapped only after their last
 * access, so a bounds and liveness check on every queue index would guard against nothing. Whoever hands out
 * an address answers for its lifetime.
 */
public final class Memory {
    @SuppressWarnings("restricted") // on purpose: see above
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();

    private Memory() {}

    public static byte plainByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    public static void plainByte(long address, byte value) {
        ALL.set(JAVA_BYTE, address, value);
    }

    public static short plainShort(long address) {
        return ALL.get(JAVA_SHORT, address);
    }

    public static void plainShort(long address, short value) {
        ALL.set(JAVA_SHORT, address, value);
    }

    public static int plainInt(long address) {
        return ALL.get(JAVA_INT, address);
    }

    public static void plainInt(long address, int value) {
        ALL.set(JAVA_INT, address, value);
    }

    /** Reads an int that need not be aligned, such as an IPv4 address inside a socket address. */
    public static int unalignedInt(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    public static long plainLong(long address) {
        return ALL.get(JAVA_LONG, address);
    }

    public static void plainLong(long address, long value) {
        ALL.set(JAVA_LONG, address, value);
    }

    public static int opaqueInt(long address) {
        return (int) INT.getOpaque(ALL, address);
    }

    public static int acquireInt(long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    public static void releaseInt(long address, int value) {
        INT.setRelease(ALL, address, value);
    }

    public static void releaseShort(long address, short value) {
        SHORT.setRelease(ALL, address, value);
    }

    public static void copy(long source, long target, int length) {
        MemorySegment.copy(ALL, source, ALL, target, length);
    }

    /** The native range {@code [address, address + length)} as a segment, for bulk copies. */
    public static MemorySegment range(long address, long length) {
        return ALL.asSlice(address, length);
    }

    public static void copy(byte[] source, int offset, long target, int length) {
        MemorySegment.copy(source, offset, ALL, JAVA_BYTE, target, length);
    }

    public static void copy(long source, byte[] target, int offset, int length) {
        MemorySegment.copy(ALL, JAVA_BYTE, source, target, offset, length);
    }
}
