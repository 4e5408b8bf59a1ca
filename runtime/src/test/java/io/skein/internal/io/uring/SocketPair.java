package io.skein.internal.io.uring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skein.internal.linux.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Two sockets that are connected to each other. Whoever opened it closes both. */
record SocketPair(int here, int there) {
    private static final int AF_UNIX = 1;
    private static final MethodHandle SOCKETPAIR = link();

    @SuppressWarnings("restricted")
    private static MethodHandle link() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("socketpair"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    }

    static SocketPair open() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(JAVA_INT, 2);
            int result = (int) SOCKETPAIR.invokeExact(AF_UNIX, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0, pair);
            if (result != 0) {
                throw new AssertionError("socketpair failed");
            }
            return new SocketPair(pair.getAtIndex(JAVA_INT, 0), pair.getAtIndex(JAVA_INT, 1));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
