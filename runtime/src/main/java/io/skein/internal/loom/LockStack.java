package io.skein.internal.loom;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the JVM's stack of uncontended monitors is empty, see {@link HeldMonitors}. A thread asks for itself.
 *
 * <p>Java has no way to ask, but HotSpot publishes for debuggers where it keeps things. By that, one read of memory tells.
 * It is tried out before it is used; where it cannot be had or the trial fails, nothing is ever sure.
 *
 * @param threadAddress reads {@code Thread.eetop}: where the JVM's own object for a platform thread is
 * @param base where the stack begins, in bytes from there
 * @param top where its end is noted, which is counted from there too
 */
record LockStack(VarHandle threadAddress, long base, long top) {
    /** Bytes that an entry takes. */
    private static final int ENTRY = Long.BYTES;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private static final @Nullable MemorySegment MEMORY = memory();

    private static final @Nullable LockStack KNOWN = MEMORY == null ? null : find();

    /** True only if no monitor of the caller is on the stack. */
    static boolean surelyEmpty() {
        return KNOWN != null && KNOWN.length() == 0;
    }

    /** True only if a monitor of the caller is on the stack. */
    static boolean surelyInUse() {
        return KNOWN != null && KNOWN.length() != 0;
    }

    /** In bytes. Opaque, because the JVM writes it behind the compiler's back. */
    private long length() {
        Thread carrier = Loom.currentCarrier();
        long address = (long) threadAddress.get(carrier);
        return (int) INT.getOpaque(MEMORY, address + top) - base;
    }

    @SuppressWarnings("restricted") // only if it was granted
    private static @Nullable MemorySegment memory() {
        return Loom.available() && LockStack.class.getModule().isNativeAccessEnabled()
                ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE)
                : null;
    }

    private static @Nullable LockStack find() {
        try {
            long stack = VmStructures.offsetOf("JavaThread", "_lock_stack");
            LockStack found = new LockStack(
                    MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
                            .findVarHandle(Thread.class, "eetop", long.class),
                    stack + VmStructures.offsetOf("LockStack", "_base[0]"),
                    stack + VmStructures.offsetOf("LockStack", "_top"));
            return found.tellsMonitors() ? found : null;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // another JVM, or another layout
        }
    }

    /** Tries it: each monitor that is entered, and entered again, makes the stack one entry longer. */
    private boolean tellsMonitors() {
        Object monitor = new Object();
        long before = length();
        long entered;
        long enteredTwice;
        synchronized (monitor) {
            entered = length();
            synchronized (monitor) {
                enteredTwice = length();
            }
        }
        return before >= 0
                && before % ENTRY == 0
                && entered == before + ENTRY
                && enteredTwice == before + 2 * ENTRY
                && length() == before;
    }
}
