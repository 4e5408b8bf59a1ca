package io.skein.internal.io;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for leases. Any thread may call it; it is lock-free. It keeps at most {@value #KEPT} that are idle, and leaves the
 * others to the garbage collector.
 */
public final class LeasePool {
    /** The size of each buffer: room for 16 KiB, and for what TLS puts around as much. */
    public static final int SIZE = 17 * 1024;

    private static final int KEPT = 256;

    private final MpmcVarHandleArrayQueue<Pooled> idle = new MpmcVarHandleArrayQueue<>(KEPT);
    private final IntFunction<ByteBuffer> memory;

    public LeasePool() {
        this(ByteBuffer::allocateDirect);
    }

    /** A pool of direct buffers that are made elsewhere. */
    public LeasePool(IntFunction<ByteBuffer> memory) {
        this.memory = memory;
    }

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
            super(pool.memory.apply(SIZE));
            this.pool = pool;
        }

        @Override
        public void giveBack() {
            boolean _ = pool.idle.offer(this);
        }
    }
}
