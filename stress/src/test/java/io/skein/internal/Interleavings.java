package io.skein.internal;

import org.jetbrains.lincheck.Lincheck;

/** Short concurrent programs under Lincheck's model checker, which tries their interleavings one by one. */
public final class Interleavings {
    private static final int COUNT = Boolean.getBoolean("skein.test.long") ? 100_000 : 400;

    private Interleavings() {}

    /** Runs a program in many interleavings; fails with the first in which it throws something. */
    public static void of(Runnable program) {
        Lincheck.runConcurrentTest(COUNT, program);
    }

    /** Runs several at once, the last one on the calling thread, and waits for all. */
    public static void together(Runnable... bodies) {
        Thread[] threads = new Thread[bodies.length - 1];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(bodies[i]);
            threads[i].start();
        }
        bodies[bodies.length - 1].run();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts", e);
            }
        }
    }

    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
