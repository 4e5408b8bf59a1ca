package io.skein.internal.sched;

import java.util.concurrent.CountDownLatch;

/** Waits that an interrupt does not end; it is set again afterwards. Any thread may call it. */
final class Uninterruptibly {
    /** A wait that may be interrupted. */
    private interface Wait {
        void await() throws InterruptedException;
    }

    private Uninterruptibly() {}

    static void await(CountDownLatch latch) {
        until(latch::await);
    }

    static void join(Thread thread) {
        until(thread::join);
    }

    private static void until(Wait wait) {
        boolean interrupted = false;
        while (true) {
            try {
                wait.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
