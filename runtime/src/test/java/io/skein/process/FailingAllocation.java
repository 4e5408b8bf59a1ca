package io.skein.process;

import io.skein.DriverKind;
import io.skein.Scheduling;
import io.skein.Skein;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A program whose worker threads find no memory for one allocation in each round: first for the first, then for the second, and so on
 * until a round does not come to as many. Its runtime's classes were rewritten by {@link AllocationSites}. It stops at the first round
 * that goes wrong, and says how.
 */
final class FailingAllocation {
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration TO_CLOSE = Duration.ofSeconds(10);

    /** About how many more allocations there are with those of coroutines: a sparse sweep takes larger steps there. */
    private static final int MORE_WITH_COROUTINES = 10;

    private final DriverKind driver;
    private final int workers;
    private final int step;
    private final Path file = MixedWork.file();

    /** How coroutines are scheduled in the present sweep. */
    private Scheduling scheduling = Scheduling.STEALING;

    /** The places where an allocation has failed. */
    private final Set<String> places = new HashSet<>();

    private String round = "";

    private FailingAllocation(DriverKind driver, int workers, int step) throws IOException {
        this.driver = driver;
        this.workers = workers;
        this.step = step;
    }

    /**
     * Runs sweeps of both kinds, with one failure in each round and with three in a row.
     *
     * @param arguments the driver, the number of workers, the distance from one failing allocation to the next, and for how many
     *     milliseconds to go on
     */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.util.logging.config.file", "/dev/null"); // no log of what workers survive
        FailingAllocation program = new FailingAllocation(
                DriverKind.valueOf(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        long nanos = Long.parseLong(arguments[3]) * 1_000_000;
        program.watch();
        program.fresh(Integer.MAX_VALUE, 1); // loads all that rounds need
        List<String> before = descriptors();
        program.sweep(Scheduling.STEALING, 1, nanos / 2);
        program.sweep(Scheduling.PINNED, 3, nanos / 2);
        program.awaitDescriptors(before);
        System.out.println("places: " + program.places.size());
        System.out.println("all went well");
        System.exit(0);
    }

    // The sweeps.

    private void sweep(Scheduling kind, int failures, long nanos) throws Exception {
        scheduling = kind;
        sweepLive(failures, nanos / 4, false);
        sweepFresh(failures, nanos / 4);
        sweepLive(failures, nanos / 2, true);
    }

    /**
     * Fails allocations of one runtime that lives through all rounds.
     *
     * @param coroutines whether also those that coroutines make
     */
    private void sweepLive(int failures, long nanos, boolean coroutines) throws Exception {
        String kind = coroutines ? "live, with coroutines" : "live";
        AllocationHook.disarm();
        Skein skein = start();
        List<String> before = descriptors();
        long end = System.nanoTime() + nanos;
        int rounds = 0;
        int distance = coroutines && step > 1 ? step * MORE_WITH_COROUTINES : step;
        int k = ThreadLocalRandom.current().nextInt(distance);
        boolean reached = true;
        for (; reached && System.nanoTime() - end < 0; k += distance) {
            begin(kind, k, failures, coroutines);
            work(skein);
            AllocationHook.disarm();
            awaitNobody(skein);
            MixedWork.openAndClose(skein); // which gives back what could not be given back
            awaitDescriptors(before);
            reached = note();
            rounds++;
        }
        begin(kind + ", clean", Integer.MAX_VALUE, 1, coroutines);
        work(skein);
        close(skein);
        tell(kind, failures, rounds, k, reached);
    }

    /** Fails allocations of a runtime that lives for one round, from its start to its close. */
    private void sweepFresh(int failures, long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        int rounds = 0;
        int k = ThreadLocalRandom.current().nextInt(step);
        boolean reached = true;
        for (; reached && System.nanoTime() - end < 0; k += step) {
            List<String> before = descriptors();
            fresh(k, failures);
            awaitDescriptors(before);
            reached = note();
            rounds++;
        }
        tell("fresh", failures, rounds, k, reached);
    }

    private void fresh(int k, int failures) throws Exception {
        begin("fresh", k, failures, false);
        Skein skein;
        try {
            skein = start();
        } catch (Throwable e) {
            check("start", e);
            return;
        }
        work(skein);
        awaitNobody(skein);
        close(skein);
        AllocationHook.disarm();
    }

    private void tell(String kind, int failures, int rounds, int k, boolean reached) {
        System.out.println(scheduling + ", " + kind + ", " + failures + " failing: " + rounds + " rounds, "
                + AllocationHook.reached() + " allocations in the last, "
                + (reached ? "out of time at " + k : "all places reached"));
    }

    /** Small queues, so that they overflow and grow. */
    private Skein start() {
        return Skein.builder()
                .driver(driver)
                .workers(workers)
                .scheduling(scheduling)
                .runQueueCapacity(4)
                .ringEntries(8)
                .failureHandler((_, _) -> {})
                .start();
    }

    private void begin(String kind, int k, int failures, boolean coroutines) {
        round = scheduling + ", " + kind + ", k = " + k + ", failures: " + failures;
        progressed = System.nanoTime();
        AllocationHook.arm(k, failures, coroutines);
    }

    /** Notes the place of the last failure; returns whether there was one. */
    private boolean note() {
        List<StackTraceElement> failedAt = AllocationHook.failedAt();
        if (failedAt == null) {
            return false;
        }
        places.add(failedAt.getFirst().toString());
        return true;
    }

    // What has to hold.

    private void work(Skein skein) throws InterruptedException {
        List<MixedWork.Part> parts;
        try {
            parts = MixedWork.play(skein, file, BOUND_NANOS);
        } catch (OutOfMemoryError e) {
            throw wrong("spawning from outside", e);
        }
        long end = System.nanoTime() + BOUND_NANOS;
        for (MixedWork.Part part : parts) {
            try {
                int value = valueOf(part, skein, end);
                if (value != part.expected()) {
                    throw wrong(part.name() + " returned " + value + " and not " + part.expected(), null);
                }
            } catch (ExecutionException e) {
                check(part.name(), e);
            } catch (TimeoutException e) {
                throw wrong(part.name() + " is stuck", e);
            }
        }
    }

    /**
     * A descriptor that could not be given back for want of memory is given back when another socket is opened or closed. Until then its
     * peer hears of no end.
     */
    private static int valueOf(MixedWork.Part part, Skein skein, long end)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return part.coroutine().get((end - System.nanoTime()) / 2, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            AllocationHook.disarm();
            try {
                MixedWork.openAndClose(skein);
            } catch (IOException failure) {
                throw new ExecutionException(failure);
            }
            return part.coroutine().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    private void awaitNobody(Skein skein) {
        long end = System.nanoTime() + BOUND_NANOS;
        while (skein.metrics().liveCoroutines() > 0) {
            if (System.nanoTime() - end > 0) {
                throw wrong("somebody still lives: " + skein.metrics(), null);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private void close(Skein skein) throws InterruptedException {
        if (!skein.close(TO_CLOSE)) {
            throw wrong("the runtime does not close: " + skein.metrics(), null);
        }
    }

    /** A failure is right if it comes of the one that was injected. */
    private void check(String name, Throwable failure) {
        if (AllocationHook.failedAt() == null
                || !isForMemory(failure, Collections.newSetFromMap(new IdentityHashMap<>()))) {
            throw wrong(name + " failed", failure);
        }
    }

    private static boolean isForMemory(@Nullable Throwable failure, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return false;
        }
        if (failure instanceof OutOfMemoryError || failure instanceof IOException) {
            return true;
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            if (isForMemory(suppressed, seen)) {
                return true;
            }
        }
        return isForMemory(failure.getCause(), seen);
    }

    // Descriptors.

    /** What the open descriptors stand for, but for files, which class loaders keep open. */
    private static List<String> descriptors() {
        String[] numbers = new File("/proc/self/fd").list();
        List<String> kinds = new ArrayList<>();
        for (String number : numbers == null ? new String[0] : numbers) {
            try {
                String target =
                        Files.readSymbolicLink(Path.of("/proc/self/fd", number)).toString();
                if (!target.startsWith("/")) {
                    kinds.add(number + " " + target);
                }
            } catch (NoSuchFileException closedMeanwhile) {
                // It was the one that read the folder.
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return kinds;
    }

    private void awaitDescriptors(List<String> before) {
        long end = System.nanoTime() + BOUND_NANOS;
        while (descriptors().size() > before.size()) {
            if (System.nanoTime() - end > 0) {
                throw wrong("descriptors are left: before " + before + ", now " + descriptors(), null);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    // What went wrong.

    private volatile long progressed;

    /** Ends the program when a round takes far too long somewhere that has no bound of its own. */
    private void watch() {
        Thread.ofPlatform().daemon().name("watch").start(() -> {
            progressed = System.nanoTime();
            while (System.nanoTime() - progressed < 4 * BOUND_NANOS) {
                LockSupport.parkNanos(BOUND_NANOS / 10);
            }
            throw wrong("the round does not end", null);
        });
    }

    /** Says all that is known, and ends the program. */
    private AssertionError wrong(String what, @Nullable Throwable failure) {
        int reached = AllocationHook.reached();
        List<StackTraceElement> failedAt = AllocationHook.failedAt();
        AllocationHook.disarm();
        System.out.println("WRONG: " + driver + ", " + workers + " workers, " + round + ": " + what);
        System.out.println(
                "allocations reached: " + reached + "; the first failure was " + (failedAt == null ? "nowhere" : ""));
        if (failedAt != null) {
            failedAt.forEach(frame -> System.out.println("    at " + frame));
        }
        if (failure != null) {
            System.out.println("failure: ");
            failure.printStackTrace(System.out);
        }
        dump();
        System.exit(1);
        return new AssertionError(what);
    }

    /** Where all threads are, coroutines included. */
    private static void dump() {
        try {
            Path folder = Files.createTempDirectory("failing-allocation");
            Path file = folder.resolve("threads");
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(ProcessHandle.current().pid()),
                            "Thread.dump_to_file",
                            file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            Files.readAllLines(file).forEach(System.out::println);
            Files.delete(file);
            Files.delete(folder);
        } catch (IOException | InterruptedException e) {
            e.printStackTrace(System.out);
        }
    }
}
