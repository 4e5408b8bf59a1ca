package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Loan;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A write to a stream. A small one is left to the stream's {@link Outflow}, and is over at once. A large one of a writer who seems to be alone
 * at work is {@linkplain #sendAtOnce sent at once}, as far as it goes. The ring sees this operation
 * only otherwise, when the driver has no buffer for a small one, or when its writer has moved to another worker. Then all of
 * it is sent where the kernel retries short sends itself, else some.
 */
final class Put extends BufferOperation {
    final Outflow outflow;
    private boolean byOutflow;

    /** What is written from, if it may be kept until it is sent. */
    private @Nullable Loan loan;

    private boolean handedOn;

    /** Where in a loan the bytes start, and how many. It is asked once: who had the buffer before may still move its position. */
    private int start;

    private int count;

    Put(int fd, Home home, NativeBuffers pool, Outflow outflow) {
        super(fd, home, pool);
        this.outflow = outflow;
    }

    /** Writes from the buffer, and moves its position. The count of bytes, or a negated error number. */
    int write(Submitter submitter, long deadline, ByteBuffer source) {
        buffer = source;
        try {
            int result = perform(submitter, deadline);
            if (result > 0) {
                source.position(source.position() + result);
            }
            return result;
        } finally {
            Reference.reachabilityFence(source); // until here the kernel may read from it
            finish();
        }
    }

    /**
     * As the other, from a loan. If that is then {@linkplain #handedOn handed on}, it is not the caller's any more; whether this
     * returns or throws.
     */
    int write(Submitter submitter, long deadline, Loan source) {
        handedOn = false;
        start = source.bytes().position();
        count = Math.max(0, source.bytes().limit() - start);
        loan = source;
        buffer = source.bytes();
        try {
            int result = perform(submitter, deadline);
            if (result > 0 && !handedOn) {
                source.bytes().position(start + result);
            }
            return result;
        } finally {
            loan = null;
            finish();
        }
    }

    /** Whether the loan that was written from last is kept until it is sent. */
    boolean handedOn() {
        return handedOn;
    }

    /** Takes the loan over, to give it back later; null if there is none. */
    @Nullable
    Loan handOn() {
        Loan handed = loan;
        handedOn = handed != null;
        loan = null;
        return handed;
    }

    /** Undoes {@link #handOn}. */
    void handBack(Loan handed) {
        loan = handed;
        handedOn = false;
    }

    /** The address of the bytes in the loan that is written from. */
    long from(Loan source) {
        return source.base() + start;
    }

    /** Waits until nothing is left to send. 0, or a negated error number. */
    int settle(Submitter submitter, long deadline) {
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
        } else if (buffer == null) {
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

    /** How many bytes are to be sent; 0 for one that only waits until it is its turn. */
    int length() {
        ByteBuffer source = buffer;
        if (source == null) {
            return 0;
        }
        if (loan != null) {
            return count;
        }
        return source.isDirect() ? source.remaining() : Math.min(source.remaining(), NativeBuffers.SIZE);
    }

    void copyTo(long target) {
        ByteBuffer source = buffer();
        if (source.isDirect()) {
            Memory.copy(address(source), target, length());
        } else {
            Iovec.copy(source, target, length());
        }
    }

    /** Sends what goes out without waiting, and is over; or returns false if nothing does. */
    boolean sendAtOnce() {
        int length = length();
        int sent = Libc.sendAtOnce(fd, bytes(length), length);
        if (sent <= 0) { // why, the ring will tell
            return false;
        }
        complete(sent, 0);
        return true;
    }

    @Override
    public void fill(Sqe sqe) {
        int length = length();
        sqe.opcode(Abi.IORING_OP_SEND).fd(fd).buffer(bytes(length), length).operationFlags(outflow.flags());
    }

    /** Where the kernel finds the bytes. Those of a heap buffer are copied when that is first asked. */
    private long bytes(int length) {
        if (loan != null) {
            return from(loan);
        }
        ByteBuffer source = buffer();
        if (source.isDirect()) {
            return address(source);
        }
        Long copied = borrowed();
        if (copied != null) {
            return copied;
        }
        long copy = borrow();
        Iovec.copy(source, copy, length);
        return copy;
    }
}
