package io.skein.process;

import io.skein.PinnedBy;

/** Starts the first runtime of its process on a virtual thread of the JDK; if that is pinned, it holds the only carrier. */
final class StartOnVirtualThread {
    static final String PINNED = "pinned";

    private StartOnVirtualThread() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "1"); // read when the first virtual thread is made
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
        Thread.ofVirtual().start(() -> run(arguments)).join();
    }

    private static void run(String[] arguments) {
        if (arguments.length == 0) {
            StartAndClose.main(arguments);
            return;
        }
        try {
            PinnedBy.CLASS_INITIALISER.run(() -> StartAndClose.main(arguments));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
