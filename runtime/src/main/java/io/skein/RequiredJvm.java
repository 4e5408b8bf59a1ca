package io.skein;

import io.skein.internal.Uninterruptibly;
import io.skein.internal.loom.Loom;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the runtime's workers cannot do without in the JVM, looked for before they start. */
final class RequiredJvm {
    /** Looked for once, by the first who starts a runtime. */
    private static final class Found {
        static final boolean GIVES_WAY = onPlatformThread();
    }

    private RequiredJvm() {}

    /** Not in the class that is being initialised: the other thread would wait for that, and that for the other thread. */
    private static boolean onPlatformThread() {
        if (!Thread.currentThread().isVirtual()) {
            return Loom.givesWayInMonitors();
        }
        AtomicBoolean found = new AtomicBoolean();
        Uninterruptibly.run(Thread.ofPlatform().start(() -> found.set(Loom.givesWayInMonitors()))::join);
        return found.get();
    }

    /**
     * Looks for it.
     *
     * @throws IllegalStateException if a thread that waits with a monitor would hold its worker, and so the monitor for
     *     ever
     */
    static void check() {
        if (Loom.available() && !Found.GIVES_WAY) {
            throw new IllegalStateException(
                    "a thread of this JVM cannot give way inside synchronized, so that coroutines could wait for"
                            + " each other for ever: start Java without -XX:LockingMode=1, which is deprecated");
        }
    }
}
