package io.skein;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What this process holds at one moment: its descriptors, its platform threads and how many pieces of io_uring memory
 * it has mapped. Immutable.
 */
record ProcessState(Map<String, String> descriptors, Set<Thread> threads, long ringMappings) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    /** Threads of the JDK, of JUnit and of surefire, which come and go as they like. */
    private static final List<String> FOREIGN_THREADS = List.of(
            "ForkJoinPool",
            "VirtualThread-",
            "Read-Poller",
            "Write-Poller",
            "Master-Poller",
            "MasterPoller",
            "Common-Cleaner",
            "Cleaner-",
            "process reaper",
            "Attach Listener",
            "Signal Dispatcher",
            "junit-",
            "surefire-",
            "awaitility-");

    static ProcessState now() {
        return new ProcessState(
                openDescriptors(), Set.copyOf(Thread.getAllStackTraces().keySet()), countRingMappings());
    }

    /** What is held now and was not held at {@code earlier}, one sentence each; empty if nothing. */
    List<String> surplusOver(ProcessState earlier) {
        List<String> surplus = new ArrayList<>();
        descriptors.forEach((fd, target) -> {
            if (!target.equals(earlier.descriptors.get(fd)) && !isClassFileOf(target)) {
                surplus.add("descriptor " + fd + " -> " + target);
            }
        });
        Set<Thread> newThreads = new HashSet<>(threads);
        newThreads.removeAll(earlier.threads);
        for (Thread thread : newThreads) {
            if (thread.isAlive() && FOREIGN_THREADS.stream().noneMatch(thread.getName()::startsWith)) {
                surplus.add("thread " + thread.getName());
            }
        }
        if (ringMappings > earlier.ringMappings) {
            surplus.add("io_uring mappings: " + earlier.ringMappings + " before, " + ringMappings + " now");
        }
        return surplus;
    }

    private static Map<String, String> openDescriptors() {
        Map<String, String> open = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path entry : entries) {
                try {
                    open.put(
                            entry.getFileName().toString(),
                            Files.readSymbolicLink(entry).toString());
                } catch (NoSuchFileException closedMeanwhile) {
                    // Not open, then.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.values().removeIf(target -> target.startsWith("/proc/"));
        return open;
    }

    /** The class loader opens jars when it first needs them, the JDK its random device. */
    private static boolean isClassFileOf(String target) {
        return target.endsWith(".jar")
                || target.endsWith(".so")
                || target.endsWith("/modules")
                || target.endsWith("/classes")
                || target.startsWith("/dev/");
    }

    private static long countRingMappings() {
        try (Stream<String> lines = Files.lines(MAPPINGS)) {
            return lines.filter(line -> line.contains("io_uring")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
