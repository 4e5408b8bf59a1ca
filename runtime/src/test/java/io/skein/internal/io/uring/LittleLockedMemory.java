package io.skein.internal.io.uring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.internal.io.FileHandle;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Uses a file, with registered buffers wanted and no right to lock more memory than the limit. */
public final class LittleLockedMemory {
    private static final int CAPABILITY_VERSION_3 = 0x20080522;
    private static final int CAP_IPC_LOCK = 14;

    private LittleLockedMemory() {}

    public static void main(String[] arguments) throws Throwable {
        giveUpTheRightToLock();
        System.setProperty("skein.uring.with", "registered_buffers");
        UringDriver driver = new UringDriver(4, 8, 0);
        NativeBuffers pool = new NativeBuffers(true);
        System.out.println("registered " + driver.isRegistered(pool, pool.takeForFile()));
        driver.close();
        pool.close();
        try (Skein skein = Skein.builder().driver(DriverKind.URING).workers(1).start()) {
            System.out.println("read " + skein.blockOn(() -> writeAndRead(skein, Path.of(arguments[0]))));
        }
    }

    private static String writeAndRead(Skein skein, Path path) throws Exception {
        Scheduler scheduler = SchedulerAccess.of(skein);
        FileHandle file = scheduler
                .backend()
                .files(scheduler)
                .open(path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        try {
            file.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)), 0);
            ByteBuffer target = ByteBuffer.allocate(5);
            file.read(target, 0);
            return new String(target.array(), StandardCharsets.UTF_8);
        } finally {
            file.close();
        }
    }

    /** Of this thread, and of those that it will start. */
    private static void giveUpTheRightToLock() throws Throwable {
        MethodHandle get = link("capget");
        MethodHandle set = link("capset");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocateFrom(JAVA_INT, CAPABILITY_VERSION_3, 0);
            MemorySegment rights = arena.allocate(JAVA_INT, 6);
            int result = (int) get.invokeExact(header, rights);
            for (int set32 = 0; set32 < 2; set32++) { // the effective and the permitted ones
                int before = rights.getAtIndex(JAVA_INT, set32);
                rights.setAtIndex(JAVA_INT, set32, before & ~(1 << CAP_IPC_LOCK));
            }
            if (result != 0 || (int) set.invokeExact(header, rights) != 0) {
                throw new AssertionError("a right cannot be given up");
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    }
}
