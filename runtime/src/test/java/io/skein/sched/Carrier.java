package io.skein.sched;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells which worker carries the calling coroutine, by what the JDK says of a mounted virtual thread. */
final class Carrier {
    private static final Pattern WORKER = Pattern.compile("@.*-worker-(\\d+)$");

    private Carrier() {}

    /** The name of the thread that the caller is mounted on. */
    static String name() {
        String description = Thread.currentThread().toString();
        return description.substring(description.lastIndexOf('@') + 1);
    }

    /** The number of the worker that the caller is mounted on. */
    static int number() {
        String description = Thread.currentThread().toString();
        Matcher matcher = WORKER.matcher(description);
        if (!matcher.find()) {
            throw new IllegalStateException("on no worker: " + description);
        }
        return Integer.parseInt(matcher.group(1));
    }
}
