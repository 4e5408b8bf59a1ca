package io.skein.internal.sched;

import io.skein.internal.io.Backend;
import io.skein.internal.io.Driver;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Operation;
import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A platform thread that runs coroutines and drives their I/O, and sleeps in one place only: inside its driver.
 *
 * <p>A turn of the loop runs at most {@value #RUNS_PER_TURN} coroutines, takes at most as many messages, and drives
 * the driver once. Coroutines and operations that come from this thread go straight to its run queue and its driver.
 * What comes from any other thread goes through the inbox.
 *
 * <p>Sleeping and waking. The states are
 *
 * <pre>
 *   AWAKE  -> ASLEEP       the worker, before it looks at the inbox for the last time
 *   ASLEEP -> AWAKE        the worker, after its driver returned; or the one thread that will wake it
 *   AWAKE  -> TERMINATED   the worker, after its last turn
 * </pre>
 *
 * A sleeper publishes ASLEEP, then looks at the inbox; a sender publishes its message, then looks at the state. Both
 * are sequentially consistent, so one of the two sees the other and no message is slept over. Only the sender that
 * moves ASLEEP to AWAKE calls {@link Driver#wakeUp}: one wake-up per sleep, and none for a worker that runs. The
 * driver remembers a wake-up that arrives before the sleep. {@code wakers} counts the senders that may still do so:
 * the driver is closed when the state is TERMINATED and that count is zero.
 */
final class Worker extends Thread implements Lane {
    /** After so many coroutines the worker looks at its inbox and its driver, whatever is left to run. */
    private static final int RUNS_PER_TURN = 61;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int TERMINATED = 2;

    private static final VarHandle STATE;
    private static final VarHandle WAKERS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Worker.class, "state", int.class);
            WAKERS = lookup.findVarHandle(Worker.class, "wakers", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Scheduler scheduler;
    private final Backend backend;
    private final RunQueue runQueue = new RunQueue(256);
    private final MpscUnboundedVarHandleArrayQueue<Runnable> inbox = new MpscUnboundedVarHandleArrayQueue<>(256);
    private final CountDownLatch opened = new CountDownLatch(1);

    private @Nullable Driver driver;
    private @Nullable Throwable openFailure;
    private volatile int state;

    @SuppressWarnings("UnusedVariable") // through WAKERS
    private volatile int wakers;

    private volatile boolean stopping;

    Worker(Scheduler scheduler, Backend backend, String name) {
        super(null, null, name, 0, false);
        this.scheduler = scheduler;
        this.backend = backend;
        setDaemon(true);
    }

    /** The worker that carries the calling thread, or null. */
    static @Nullable Worker current() {
        return Loom.currentCarrier() instanceof Worker worker ? worker : null;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Waits until the worker has its driver, and says why when it could not have one. */
    void awaitOpened() throws IOException {
        Uninterruptibly.await(opened);
        if (openFailure != null) {
            throw new IOException(openFailure.getMessage(), openFailure);
        }
    }

    /** Makes a coroutine run on this worker. Any thread may call it; it never blocks. */
    void enqueue(Runnable continuation) {
        if (current() == this) {
            runQueue.push(continuation);
        } else {
            send(continuation);
        }
    }

    @Override
    public void start(Operation operation) {
        if (current() == this) {
            ownDriver().start(operation);
        } else {
            send(() -> ownDriver().start(operation));
        }
    }

    @Override
    public void cancel(Operation operation, int run) {
        if (current() == this) {
            cancelHere(operation, run);
        } else {
            send(() -> cancelHere(operation, run));
        }
    }

    private void cancelHere(Operation operation, int run) {
        if (operation.tryCancel(run)) {
            ownDriver().cancel(operation);
        }
    }

    private void send(Runnable message) {
        inbox.offer(message);
        wake();
    }

    /** Ends the loop when nothing is left to run. Nothing may be sent afterwards. */
    void requestStop() {
        stopping = true;
        wake();
    }

    private void wake() {
        VarHandle.fullFence(); // the message before the look at the state; pairs with the one in sleep
        if (state == ASLEEP) {
            WAKERS.getAndAdd(this, 1);
            try {
                if (STATE.compareAndSet(this, ASLEEP, AWAKE)) {
                    ownDriver().wakeUp();
                }
            } finally {
                WAKERS.getAndAdd(this, -1);
            }
        }
    }

    @Override
    public void run() {
        try {
            driver = backend.openDriver();
        } catch (IOException | RuntimeException | Error e) {
            openFailure = e;
            return;
        } finally {
            opened.countDown();
        }
        while (!stopping || !runQueue.isEmpty() || !inbox.isEmpty()) {
            runBatch();
            readInbox();
            if (runQueue.isEmpty()) {
                sleep();
            } else {
                ownDriver().drive(0);
            }
        }
        terminate();
    }

    private void runBatch() {
        for (int i = 0; i < RUNS_PER_TURN; i++) {
            Runnable continuation = runQueue.poll();
            if (continuation == null) {
                return;
            }
            continuation.run();
        }
    }

    private void readInbox() {
        for (int i = 0; i < RUNS_PER_TURN; i++) {
            Runnable message = inbox.poll();
            if (message == null) {
                return;
            }
            message.run();
        }
    }

    private void sleep() {
        state = ASLEEP;
        VarHandle.fullFence(); // the state before the last look; pairs with the one in wake
        boolean nothing = inbox.isEmpty() && !stopping;
        ownDriver().drive(nothing ? Driver.FOREVER : 0);
        state = AWAKE;
    }

    private void terminate() {
        state = TERMINATED;
        while (wakers != 0) {
            Thread.onSpinWait();
        }
        ownDriver().close();
    }

    private Driver ownDriver() {
        Driver own = driver;
        if (own == null) {
            throw new IllegalStateException(getName() + " has no driver");
        }
        return own;
    }
}
