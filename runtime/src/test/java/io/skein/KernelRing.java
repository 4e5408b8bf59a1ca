package io.skein;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * Asks the kernel itself, not Skein, whether this process may have a ring. So a test is skipped only where the kernel
 * refuses, and fails where Skein does.
 */
final class KernelRing {
    private static final long SYS_IO_URING_SETUP = 425;
    private static final long PARAMS_BYTES = 120;
    private static final Optional<String> REFUSAL = ask();

    private KernelRing() {}

    /** Why the kernel refuses a ring; empty where it grants one. */
    static Optional<String> refusal() {
        return REFUSAL;
    }

    @SuppressWarnings("restricted")
    private static Optional<String> ask() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("io_uring is a part of Linux, this is " + System.getProperty("os.name"));
        }
        Linker linker = Linker.nativeLinker();
        StructLayout callState = Linker.Option.captureStateLayout();
        VarHandle errno = callState.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        MethodHandle syscall = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS),
                Linker.Option.firstVariadicArg(1),
                Linker.Option.captureCallState("errno"));
        MethodHandle close = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(callState);
            long fd = (long) syscall.invokeExact(state, SYS_IO_URING_SETUP, 2, arena.allocate(PARAMS_BYTES, 8));
            if (fd < 0) {
                return Optional.of("the kernel refuses io_uring_setup: errno " + (int) errno.get(state, 0L));
            }
            int closed = (int) close.invokeExact((int) fd);
            return closed == 0 ? Optional.empty() : Optional.of("the kernel does not close a ring");
        } catch (Throwable e) {
            throw new IllegalStateException("io_uring_setup could not be called", e);
        }
    }
}
