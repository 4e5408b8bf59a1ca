package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Several datagrams that go to the kernel together, an entry for each. It is over when all of them are.
 *
 * <p>The kernel sees only its parts, and nobody waits for one of those. Between start and end the driver's thread owns them, too. Once the
 * kernel may have seen one of them the batch has begun, and its end is waited for: if there is no memory to hand over the rest, these
 * end by {@code ENOMEM} and the others as ever. So no buffer is used again while the kernel has it.
 */
final class MessageBatch extends UringOperation {
    /** So many at most. */
    static final int SIZE = 32;

    private final @Nullable Part[] parts = new Part[SIZE];
    private int used;

    /** How many parts have not ended. */
    private int open;

    private boolean cancelled;

    /** One datagram of the batch. */
    final class Part extends Message {
        private int result;

        private Part(int fd, boolean ipv6, Direction direction) {
            super(fd, ipv6, direction);
        }

        int result() {
            return result;
        }

        @Override
        public void completed(UringDriver driver, int kernelResult, int kernelFlags, boolean isLast) {
            ended(kernelResult);
        }

        private void ended(int kernelResult) {
            result = kernelResult;
            cancelled |= Errno.ECANCELED.is(kernelResult);
            open--;
            if (open == 0) {
                MessageBatch.this.complete(cancelled ? -Errno.ECANCELED.number() : 0, 0);
            }
        }
    }

    MessageBatch(int fd, boolean ipv6, Message.Direction direction) {
        try {
            for (int i = 0; i < SIZE; i++) {
                parts[i] = new Part(fd, ipv6, direction);
            }
        } catch (Throwable e) { // no memory
            free();
            throw e;
        }
    }

    Part part(int index) {
        return Objects.requireNonNull(parts[index]);
    }

    /** Performs the first parts, which were prepared: 0, or a negated error number when some were cancelled. Each has its result. */
    int perform(Submitter submitter, long deadline, int count) {
        used = count;
        open = count;
        cancelled = false;
        for (int i = 0; i < count; i++) {
            part(i).result = -Errno.ECANCELED.number();
        }
        return perform(submitter, deadline);
    }

    @Override
    void begin(UringDriver driver) {
        int count = used; // from its end on, the batch may be somebody else's
        driver.submit(part(0)); // if this fails, nothing has begun
        for (int i = 1; i < count; i++) {
            Part part = part(i);
            try {
                driver.submit(part);
            } catch (Throwable e) {
                part.ended(-Errno.ENOMEM.number());
            }
        }
    }

    @Override
    void cancel(UringDriver driver) {
        int count = used; // as above
        for (int i = 0; i < count; i++) {
            Part part = part(i);
            if (driver.withdraw(part)) {
                part.ended(-Errno.ECANCELED.number());
            } else {
                driver.submitCancel(part);
            }
        }
    }

    @Override
    public void fill(Sqe sqe) {
        throw new IllegalStateException("a batch has no entry of its own");
    }

    /** Gives the memory back; the operation is not in flight and not used again. */
    void free() {
        forgetDeadline();
        for (Part part : parts) {
            if (part != null) {
                part.free();
            }
        }
    }
}
