package io.skein.internal.loom;

import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;

/**
 * A continuation of its own inside whatever thread runs it: what virtual threads are made of. For the thread that runs it.
 * Loaded only where the JDK's package is exported.
 *
 * <p>How a wait goes through a continuation that runs inside a virtual thread: the thread yields to the scope of virtual
 * threads, which is not this one's. So this one is suspended first, and its {@code run} suspends the thread's in turn; the
 * carrier is free. Resuming goes the same way back. Where one of the two is pinned, {@code onPinned} of this one is called.
 * As the JDK has it, that throws; for a wait it must do nothing, so that the thread waits on its carrier, as it would
 * without us.
 */
final class BodyContinuation extends Continuation {
    private static final ContinuationScope SCOPE = new ContinuationScope("Skein");

    BodyContinuation(Runnable body) {
        super(SCOPE, body);
    }

    @Override
    protected void onPinned(Pinned reason) {}

    /** Suspends the innermost one that the caller runs in; false where it is pinned. */
    static boolean suspend() {
        return Continuation.yield(SCOPE);
    }

    /** The innermost one that the caller runs in, or null. */
    static @Nullable Object current() {
        return Continuation.getCurrentContinuation(SCOPE);
    }
}
