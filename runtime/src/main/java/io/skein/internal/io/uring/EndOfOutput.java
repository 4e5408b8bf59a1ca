package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;

/**
 * Tells the peer that no more will come, once what is in flight has gone, and fails every later write. A write that
 * waits for its turn fails now: the peer may never read what is before it.
 *
 * <p>Called by a coroutine that holds the descriptor open meanwhile. It waits for the thread of the stream's home
 * driver, and for nothing else; the kernel sees no entry. The result is 0, or as a negated number the error that an
 * earlier send, or this, has ended with.
 */
final class EndOfOutput extends UringOperation {
    private final Outflow outflow;
    private final Home home;

    EndOfOutput(Outflow outflow, Home home) {
        this.outflow = outflow;
        this.home = home;
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        return home.settle(submitter);
    }

    @Override
    void begin(UringDriver driver) {
        complete(outflow.end(), 0);
    }

    @Override
    public void fill(Sqe sqe) {
        throw new IllegalStateException("it has no entry");
    }
}
