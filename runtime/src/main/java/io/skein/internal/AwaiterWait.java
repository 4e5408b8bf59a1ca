package io.skein.internal;

import io.skein.Awaiter;
import org.jspecify.annotations.Nullable;

/** The wait of a thread for an {@link Awaiter}; used once. */
public final class AwaiterWait extends Suspension {
    private final Awaiter<?> awaiter;

    private AwaiterWait(Awaiter<?> awaiter) {
        this.awaiter = awaiter;
    }

    /** Waits as {@link Awaiter} tells. */
    public static <T extends @Nullable Object> T of(Awaiter<T> awaiter) throws InterruptedException {
        Budget.spend();
        if (awaiter.ready()) {
            return awaiter.resume();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the wait");
        }
        AwaiterWait wait = new AwaiterWait(awaiter);
        wait.begin();
        if (wait.suspended() && !wait.await()) {
            Thread.interrupted(); // told by the exception instead
            throw new InterruptedException("interrupted while waiting");
        }
        boolean interrupted = Thread.interrupted();
        try {
            return awaiter.resume();
        } catch (InterruptedException e) {
            interrupted = false; // told by the exception instead
            throw e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether there is something to wait for. If not, a resume that comes later counts for nothing. */
    private boolean suspended() {
        boolean suspended = false;
        try {
            suspended = awaiter.suspend(this);
        } finally {
            if (!suspended) {
                abandon();
            }
        }
        return suspended;
    }

    @Override
    protected boolean withdraw() {
        return awaiter.cancel();
    }
}
