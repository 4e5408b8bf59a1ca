package io.skein.internal.io;

import io.skein.internal.Headroom;
import io.skein.internal.Suspension;
import io.skein.internal.linux.Errno;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A call that blocks, made by a thread that may, while the caller waits.
 *
 * <p>As with every operation, nothing is left behind. {@code claimed} is set once: by the thread that makes the call, or by
 * the caller who is interrupted before that. A call that was begun is waited for, interrupted or not, and its result is
 * delivered. So nobody uses a buffer after its owner has it back, and what was opened has somebody to close it. The thread
 * that makes the call is never interrupted: that would close the channel under everybody else.
 */
public final class BlockingCall<T extends @Nullable Object> extends Suspension implements Runnable {
    /** What is to be done. */
    @FunctionalInterface
    public interface Code<T extends @Nullable Object> {
        T run() throws IOException;
    }

    private final Code<? extends T> code;
    private final AtomicBoolean claimed = new AtomicBoolean();

    /** Written before the wait is over, read after. */
    private @Nullable T result;

    private @Nullable Throwable failure;

    private BlockingCall(Code<? extends T> code) {
        this.code = code;
    }

    /**
     * Makes the call; a caller that is no coroutine makes it itself.
     *
     * @throws java.io.InterruptedIOException if the thread is interrupted before the call began
     */
    public static <T extends @Nullable Object> T make(
            Submitter submitter, String operation, Object subject, Code<? extends T> code) throws IOException {
        if (!submitter.serves()) {
            return code.run();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw Errno.exception(operation, subject, Errno.ECANCELED.number());
        }
        BlockingCall<T> call = new BlockingCall<>(code);
        call.start(submitter);
        if (!call.await()) {
            throw Errno.exception(operation, subject, Errno.ECANCELED.number());
        }
        return call.outcome();
    }

    /** As {@link #make}, for what must happen whether or not somebody interrupts. */
    public static <T extends @Nullable Object> T makeUninterruptibly(Submitter submitter, Code<? extends T> code)
            throws IOException {
        if (!submitter.serves()) {
            return code.run();
        }
        BlockingCall<T> call = new BlockingCall<>(code);
        call.start(submitter);
        call.awaitUninterruptibly();
        return call.outcome();
    }

    private void start(Submitter submitter) {
        Headroom.toEnd(); // what is started is waited for
        begin();
        try {
            submitter.blocking().execute(this);
        } catch (Throwable e) {
            if (withdraw()) { // nobody has begun it, nor will
                abandon();
                throw e;
            }
        }
    }

    @SuppressWarnings("NullAway") // a result is there unless there is a failure
    private T outcome() throws IOException {
        return switch (failure) {
            case null -> result;
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        };
    }

    @Override
    public void run() {
        if (!claimed.compareAndSet(false, true)) {
            return;
        }
        try {
            result = code.run();
        } catch (Throwable e) { // the caller's
            failure = e;
        }
        resume();
    }

    @Override
    protected boolean withdraw() {
        return claimed.compareAndSet(false, true);
    }

    @Override
    protected void pause() {
        try {
            LockSupport.park();
            standInIfHeld();
        } catch (Throwable e) { // no stack or memory to give way: a call that has begun uses the buffers all the same
            if (withdraw()) {
                throw e;
            }
            if (e instanceof OutOfMemoryError) {
                return; // waits on, as well as it can
            }
            while (isWaiting()) {
                Thread.onSpinWait();
            }
        }
    }
}
