package io.skein.bench.load;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The CPU time that a process has used: all its threads, those that ended included, user and kernel. On Linux it is
 * exact to the nanosecond, where {@code /proc/PID/stat} counts ticks of 10 ms.
 */
public abstract class ProcessCpuClock {
    private ProcessCpuClock() {}

    public abstract long nanos() throws IOException;

    public static ProcessCpuClock of(long pid) {
        return System.getProperty("os.name").equals("Linux") ? new Exact(pid) : new Coarse(pid);
    }

    /** Counts, in ticks of 10 ms, this process and those of its children that have ended. On Linux only. */
    public static ProcessCpuClock ofThisAndItsChildren() {
        return new Family("self", Family.UTIME, 4);
    }

    /** Counts, in ticks of 10 ms, those children of a process that have ended. On Linux only. */
    public static ProcessCpuClock ofEndedChildren(long pid) {
        return new Family(Long.toString(pid), Family.CUTIME, 2);
    }

    /** Counts, in ticks of 10 ms, the processes below another that live, and those that they have waited for. On Linux only. */
    public static ProcessCpuClock ofLivingDescendants(long pid) {
        return new Descendants(pid);
    }

    private static final class Descendants extends ProcessCpuClock {
        private final long root;

        Descendants(long root) {
            this.root = root;
        }

        @Override
        public long nanos() throws IOException {
            List<ProcessHandle> living = ProcessHandle.of(root)
                    .map(ProcessHandle::descendants)
                    .orElseGet(Stream::empty)
                    .toList();
            long nanos = 0;
            for (ProcessHandle each : living) {
                try {
                    nanos += new Family(Long.toString(each.pid()), Family.UTIME, 4).nanos();
                } catch (NoSuchFileException ended) {
                    // Its parent counts it, once it has waited for it.
                }
            }
            return nanos;
        }
    }

    private static final class Family extends ProcessCpuClock {
        private static final Pattern BLANK = Pattern.compile(" ");
        private static final long NANOS_PER_TICK = 10_000_000;

        /** Where {@code utime} stands after the program's name; {@code stime}, {@code cutime}, {@code cstime} follow. */
        private static final int UTIME = 11;

        private static final int CUTIME = 13;

        private final Path statistics;
        private final int first;
        private final int figures;

        Family(String pid, int first, int figures) {
            statistics = Path.of("/proc", pid, "stat");
            this.first = first;
            this.figures = figures;
        }

        @Override
        public long nanos() throws IOException {
            String line = Files.readString(statistics).strip();
            String afterName = line.substring(line.lastIndexOf(')') + 2);
            return Arrays.stream(BLANK.split(afterName, -1))
                            .skip(first)
                            .limit(figures)
                            .mapToLong(Long::parseLong)
                            .sum()
                    * NANOS_PER_TICK;
        }
    }

    /** Reads the clock that {@code clock_getcpuclockid(3)} names. */
    private static final class Exact extends ProcessCpuClock {
        private static final long SECOND = 1_000_000_000L;
        private static final Linker LINKER = Linker.nativeLinker();
        private static final MethodHandle CLOCK_OF_PROCESS = function(
                "clock_getcpuclockid",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        private static final MethodHandle READ_CLOCK = function(
                "clock_gettime",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

        private final MemorySegment scratch = Arena.ofAuto().allocate(2 * ValueLayout.JAVA_LONG.byteSize());
        private final long pid;

        Exact(long pid) {
            this.pid = pid;
        }

        @SuppressWarnings("restricted") // every JVM of the bench enables native access
        private static MethodHandle function(String name, FunctionDescriptor descriptor) {
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
        }

        @Override
        public long nanos() throws IOException {
            requireZero(CLOCK_OF_PROCESS, (int) pid);
            requireZero(READ_CLOCK, scratch.get(ValueLayout.JAVA_INT, 0));
            return scratch.getAtIndex(ValueLayout.JAVA_LONG, 0) * SECOND + scratch.getAtIndex(ValueLayout.JAVA_LONG, 1);
        }

        private void requireZero(MethodHandle function, int argument) throws IOException {
            int result;
            try {
                result = (int) function.invokeExact(argument, scratch);
            } catch (Throwable impossible) {
                throw new AssertionError("a C function threw", impossible);
            }
            if (result != 0) {
                throw new IOException("the CPU clock of process " + pid + " cannot be read: has it ended?");
            }
        }
    }

    /** What the JDK knows, elsewhere than on Linux. */
    private static final class Coarse extends ProcessCpuClock {
        private final long pid;

        Coarse(long pid) {
            this.pid = pid;
        }

        @Override
        public long nanos() throws IOException {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .map(Duration::toNanos)
                    .orElseThrow(() -> new IOException("the CPU time of process " + pid + " cannot be read"));
        }
    }
}
