package io.skein.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many sockets a process may have here. */
final class Descriptors {
    /** What a process has beside its connections, generously. */
    private static final int OTHERS = 500;

    private static final Pattern LIMIT = Pattern.compile("Max open files +\\S+ +(\\d+)");

    private static final long MOST = limit();

    private Descriptors() {}

    static boolean allowConnections(int count) {
        return allow(count, MOST);
    }

    static boolean allow(int connections, long limit) {
        return connections + OTHERS <= limit;
    }

    /** What the kernel grants; a JVM asks for all of it. */
    static long limit() {
        try {
            Matcher matcher = LIMIT.matcher(Files.readString(Path.of("/proc/self/limits")));
            return matcher.find() ? Long.parseLong(matcher.group(1)) : Long.MAX_VALUE;
        } catch (IOException unknown) {
            return 0;
        }
    }
}
