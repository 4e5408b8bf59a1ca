package io.skein.internal.io;

import java.nio.ByteBuffer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for leases. Any thread may call it; it is lock-free. It keeps at most {@value #KEPT} that are idle, and leaves the
 * others to the garbage collector.
 */
public final class LeasePool {
    /** The size of each buffer. */
    public static final int SIZE = 16 * 1024;

    private static final int KEPT = 256;

    private final MpmcVarHandleArrayQueue<Pooled> idle = new MpmcVarHandleArrayQueue<>(KEPT);

    /** An empty buffer. */
    public Loan take() {
        @Nullable Pooled loan = idle.poll();
        if (loan == null) {
            return new Pooled(this);
        }
        loan.reset();
        return loan;
    }

    private static final class Pooled extends Loan {
        private final LeasePool pool;

        Pooled(LeasePool pool) {
            super(ByteBuffer.allocateDirect(SIZE));
            this.pool = pool;
        }

        @Override
        public void giveBack() {
            boolean _ = pool.idle.offer(this);
        }
    }
}
