package io.skein.internal.loom;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Turns between two threads: the body has a virtual thread of its own, and whoever has to wait parks.
 *
 * <p>States of {@code turn}, and who changes them:
 * <pre>
 * CONSUMER     -> BODY           consumer: resume; or the body itself, when it was left
 * BODY         -> INTERRUPTING   consumer, when it is interrupted while it waits
 * INTERRUPTING -> BODY           consumer, when the body's thread has been interrupted
 * BODY         -> RETURNING      body: pauses or ends; from here on no interrupt comes
 * RETURNING    -> CONSUMER       body, when it has paused
 * RETURNING    -> ENDED          body, when it has ended
 * CONSUMER     -> ENDED          body, when its stack was too large to wait for its turn and it has failed by that
 * </pre>
 * A change to BODY, CONSUMER or ENDED hands over all other fields.
 *
 * <p>The interrupt status travels with the turn, as if both were one thread: the consumer's becomes the body's when it
 * resumes, an interrupt of the waiting consumer is passed on, and what the body leaves set is the consumer's again.
 */
public final class ThreadTurns implements Turns {
    private static final int CONSUMER = 0;
    private static final int BODY = 1;
    private static final int INTERRUPTING = 2;
    private static final int RETURNING = 3;
    private static final int ENDED = 4;

    private static final VarHandle TURN;

    static {
        try {
            TURN = MethodHandles.lookup().findVarHandle(ThreadTurns.class, "turn", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Only started by who needs it. */
    private static final class Abandoned {
        static final Cleaner CLEANER = Cleaner.create();
    }

    /** In a body's thread: the thread on whose behalf it runs. */
    private static final ThreadLocal<@Nullable Thread> PRINCIPAL = new ThreadLocal<>();

    private final Thread thread;
    private volatile int turn = CONSUMER;
    private boolean started;
    private @Nullable Thread consumer;
    private boolean interrupted;

    /** Set when there is no consumer any more: nobody else will resume the body. */
    private volatile boolean left;

    private Cleaner.@Nullable Cleanable cleanable;

    public ThreadTurns(Runnable body) {
        Thread principal = principal();
        thread = Thread.ofVirtual().name("skein-generator").unstarted(() -> {
            PRINCIPAL.set(principal);
            try {
                takeInterrupt();
                body.run();
            } finally {
                handBack(ENDED);
            }
        });
    }

    /** The thread on whose behalf the caller runs: itself, unless it is the body's thread of such turns. */
    public static Thread principal() {
        Thread principal = PRINCIPAL.get();
        return principal == null ? Thread.currentThread() : principal;
    }

    @Override
    public void resume() {
        consumer = Thread.currentThread();
        interrupted = Thread.interrupted();
        boolean late = false;
        if (TURN.compareAndSet(this, CONSUMER, BODY)) { // else it has ended out of turn
            wakeBody();
            while (!isConsumersTurn()) {
                LockSupport.park(this);
                if (Thread.interrupted()) {
                    late |= !interruptBody();
                }
            }
        }
        consumer = null;
        if (interrupted || late) {
            Thread.currentThread().interrupt();
        }
    }

    private void wakeBody() {
        if (started) {
            LockSupport.unpark(thread);
        } else {
            started = true;
            thread.start();
        }
    }

    private boolean isConsumersTurn() {
        int seen = turn;
        return seen == CONSUMER || seen == ENDED;
    }

    /** False if the body is on its way back, and the interrupt stays with the consumer. */
    private boolean interruptBody() {
        if (!TURN.compareAndSet(this, BODY, INTERRUPTING)) {
            return false;
        }
        try {
            thread.interrupt();
        } finally {
            turn = BODY; // the body waits for that
        }
        return true;
    }

    @Override
    public boolean pause() {
        handBack(CONSUMER);
        boolean stray = false;
        while (turn == CONSUMER) {
            if (left) {
                interrupted = false;
                turn = BODY;
                break;
            }
            LockSupport.park(this);
            stray |= Thread.interrupted(); // by somebody who knows this thread; it is for the body, not for this wait
        }
        takeInterrupt();
        if (stray) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** Not by a pause: a consumer that is quick resumes the body before it is suspended. */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // not for the sake of others
    public void relieveStack() {
        Thread.yield();
    }

    private void takeInterrupt() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it: it makes way for a consumer on the same carrier
    private void handBack(int next) {
        while (!TURN.compareAndSet(this, BODY, RETURNING)) {
            if (next == ENDED && TURN.compareAndSet(this, CONSUMER, ENDED)) {
                return;
            }
            Thread.yield(); // the consumer is about to have interrupted this thread
        }
        interrupted = Thread.interrupted();
        Thread waiting = consumer;
        turn = next;
        LockSupport.unpark(waiting);
    }

    @Override
    public boolean inside() {
        return Thread.currentThread() == thread && !isConsumersTurn();
    }

    @Override
    public void endWith(Object owner, Runnable beforehand) {
        cleanable = Abandoned.CLEANER.register(owner, () -> {
            if (started && turn != ENDED) {
                beforehand.run();
                left = true;
                LockSupport.unpark(thread);
            }
        });
    }

    @Override
    public void end() {
        if (cleanable != null) {
            cleanable.clean();
        }
    }
}
