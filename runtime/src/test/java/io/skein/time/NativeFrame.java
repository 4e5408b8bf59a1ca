package io.skein.time;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skein.Action;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Runs something under a native frame, where no virtual thread can be unmounted: as the comparison of two numbers by qsort. */
@SuppressWarnings({"restricted", "exports"}) // The tests have access to native code, and nobody sees them outside.
public final class NativeFrame {
    private static final Linker LINKER = Linker.nativeLinker();

    private final Action action;
    private @Nullable Exception failure;

    private NativeFrame(Action action) {
        this.action = action;
    }

    public static void run(Action action) throws Exception {
        NativeFrame frame = new NativeFrame(action);
        try (Arena arena = Arena.ofShared()) { // it may be closed by another carrier than it was opened by
            MethodHandle compare = MethodHandles.lookup()
                    .findVirtual(
                            NativeFrame.class,
                            "compare",
                            MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class))
                    .bindTo(frame);
            MemorySegment comparison =
                    LINKER.upcallStub(compare, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), arena);
            MethodHandle qsort = LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("qsort"),
                    FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
            qsort.invokeExact(arena.allocate(JAVA_INT, 2), 2L, 4L, comparison);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (frame.failure != null) {
            throw frame.failure;
        }
    }

    @SuppressWarnings("unused") // called by qsort
    private int compare(MemorySegment one, MemorySegment other) {
        try {
            action.run();
        } catch (Exception e) {
            failure = e;
        } catch (Throwable e) { // it must not leave the native frame
            failure = new IllegalStateException(e);
        }
        return 0;
    }
}
