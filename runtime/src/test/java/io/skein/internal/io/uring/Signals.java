package io.skein.internal.io.uring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skein.Await;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sends a signal to threads of this process that does nothing but break off what they are waiting in. Any thread may call it.
 *
 * <p>The signal is one that the virtual machine has no use for. A handler written in Java may not run at any moment, so the C
 * library's {@code abs} is the handler: a function of an int that harms nobody.
 */
final class Signals implements AutoCloseable {
    private static final int SIGURG = 23;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SIGNAL = link("signal", FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));
    private static final MethodHandle TGKILL =
            link("tgkill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

    private final int process = (int) ProcessHandle.current().pid();
    private final MemorySegment before;

    Signals() {
        before = handle(LINKER.defaultLookup().findOrThrow("abs"));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor shape) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape);
    }

    private static MemorySegment handle(MemorySegment handler) {
        try {
            return (MemorySegment) SIGNAL.invokeExact(SIGURG, handler);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    void send(int thread) {
        try {
            int result = (int) TGKILL.invokeExact(process, thread, SIGURG);
            if (result != 0) {
                throw new AssertionError("tgkill failed");
            }
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** The kernel's number of the one thread of this name, of which the kernel keeps 15 characters. */
    static int threadNamed(String name) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            List<Path> found = tasks.filter(task -> line(task.resolve("comm")).equals(name))
                    .toList();
            if (found.size() != 1) {
                throw new AssertionError(found.size() + " threads are called " + name);
            }
            return Integer.parseInt(found.getFirst().getFileName().toString());
        }
    }

    /** Returns once the thread sleeps in the kernel. */
    static void awaitSleep(int thread) {
        Path status = Path.of("/proc/self/task", Integer.toString(thread), "stat");
        Await.until("the thread sleeps", () -> line(status).contains(") S "));
    }

    private static String line(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException endedMeanwhile) {
            return "";
        }
    }

    @Override
    public void close() {
        MemorySegment _ = handle(before);
    }
}
