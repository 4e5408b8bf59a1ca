package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A write to a stream. A small one is left to the stream's {@link Outflow}, and is over at once; the kernel sees this operation
 * only when it is large, when the driver has no buffer for it, or when its writer has moved to another worker. Then all of
 * it is sent where the kernel retries short sends itself, else some.
 */
final class Put extends UringOperation {
    static final int FLAGS = Libc.MSG_NOSIGNAL | (KernelFeature.WHOLE_SENDS.isWanted() ? Libc.MSG_WAITALL : 0);

    private final int fd;
    private final Home home;
    private final Outflow outflow;
    private final NativeBuffers pool;
    private final BufferAddress address = new BufferAddress();
    private boolean byOutflow;
    private @Nullable ByteBuffer source;
    private int length;

    /** A buffer of the pool, while the kernel sends the bytes of a heap buffer from it. */
    private @Nullable Long pooled;

    Put(int fd, Home home, Outflow outflow, NativeBuffers pool) {
        this.fd = fd;
        this.home = home;
        this.outflow = outflow;
        this.pool = pool;
    }

    /** Writes from the buffer, and moves its position. The count of bytes, or a negated error number. */
    int perform(Submitter submitter, long deadline, ByteBuffer buffer) {
        source = buffer;
        length = buffer.isDirect() ? buffer.remaining() : Math.min(buffer.remaining(), NativeBuffers.SIZE);
        try {
            int result = perform(submitter, deadline);
            if (result > 0) {
                buffer.position(buffer.position() + result);
            }
            return result;
        } finally {
            Reference.reachabilityFence(buffer); // until here the kernel may read from it
            source = null;
            Long used = pooled;
            if (used != null) {
                pooled = null;
                pool.giveBack(used);
            }
        }
    }

    /** Waits until nothing is left to send. 0, or a negated error number. */
    int settle(Submitter submitter, long deadline) {
        length = 0;
        return outflow.isInFlight() ? perform(submitter, deadline) : outflow.failure();
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        Lane here = submitter.lane();
        Lane chosen = home.settle(submitter);
        byOutflow = here == chosen || outflow.isInFlight();
        return byOutflow ? chosen : here;
    }

    @Override
    void begin(UringDriver driver) {
        if (byOutflow) {
            outflow.put(this, driver);
        } else if (outflow.failure() < 0) {
            complete(outflow.failure(), 0);
        } else if (length == 0) {
            complete(0, 0);
        } else {
            driver.submit(this);
        }
    }

    @Override
    void cancel(UringDriver driver) {
        if (driver.withdraw(this)) {
            complete(-Errno.ECANCELED.number(), 0);
        } else if (isInFlightOn(driver)) {
            driver.submitCancel(this);
        } else {
            outflow.abandon(this);
        }
    }

    int length() {
        return length;
    }

    void copyTo(long target) {
        ByteBuffer buffer = buffer();
        if (buffer.isDirect()) {
            Memory.copy(address.of(buffer), target, length);
        } else {
            Iovec.copy(buffer, target, length);
        }
    }

    @Override
    public void fill(Sqe sqe) {
        ByteBuffer buffer = buffer();
        long from;
        if (buffer.isDirect()) {
            from = address.of(buffer);
        } else {
            Long fromPool = pool.take();
            pooled = fromPool;
            Iovec.copy(buffer, fromPool, length);
            from = fromPool;
        }
        sqe.opcode(Abi.IORING_OP_SEND).fd(fd).buffer(from, length).operationFlags(FLAGS);
    }

    private ByteBuffer buffer() {
        ByteBuffer buffer = source;
        if (buffer == null) {
            throw new IllegalStateException("no write is going on");
        }
        return buffer;
    }
}
