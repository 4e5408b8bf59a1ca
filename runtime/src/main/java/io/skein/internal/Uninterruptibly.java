package io.skein.internal;

/** Waits that an interrupt does not end; it is set again afterwards. Any thread may call it. */
public final class Uninterruptibly {
    /** A wait that may be interrupted and can be taken up again. */
    @FunctionalInterface
    public interface Wait {
        void await() throws InterruptedException;
    }

    private Uninterruptibly() {}

    public static void run(Wait wait) {
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
