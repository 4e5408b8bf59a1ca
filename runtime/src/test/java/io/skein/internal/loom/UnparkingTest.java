package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import java.lang.reflect.Field;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An unpark queues a thread that is parked, and is that of the JDK for every other. Threads here are run by hand, on the test's own. */
@Timeout(60)
class UnparkingTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final ManualQueue queue = new ManualQueue();

    @BeforeAll
    static void needFlags() {
        ManualQueue.needFlags();
    }

    @Test
    void aParkedThreadIsQueuedAndStaysParkedUntilItRuns() {
        Thread thread = queue.start(LockSupport::park);

        Unparking.unpark(thread);

        assertThat(queue.size()).isEqualTo(1);
        assertThat(ParkedThreads.isParked(thread)).isTrue();
        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
        assertThat(queue.size()).isZero();
    }

    @Test
    void itMayBeQueuedAndRunAgainAndAgain() {
        AtomicInteger wakes = new AtomicInteger();
        Thread thread = queue.start(() -> {
            while (wakes.get() < 1000) {
                LockSupport.park();
                wakes.incrementAndGet();
            }
        });

        for (int i = 1; i <= 1000; i++) {
            Unparking.unpark(thread);
            queue.runFirst();
            assertThat(wakes).hasValue(i);
        }

        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aThreadThatIsAboutToParkDoesNot() {
        Thread thread = queue.start(() -> {
            Unparking.unpark(Thread.currentThread());
            LockSupport.park();
        });

        assertThat(thread.isAlive()).isFalse();
        assertThat(queue.size()).isZero();
    }

    @Test
    void aThreadThatParksWithATimeoutIsWokenBefore() {
        Thread thread = queue.start(() -> LockSupport.parkNanos(HOUR));

        Unparking.unpark(thread);

        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
    }

    /** As one that a native frame holds, or a static initialiser: it waits on its carrier. */
    @Test
    void aThreadThatIsPinnedIsWokenOnItsCarrier() throws Exception {
        CompletableFuture<Thread> pinned = new CompletableFuture<>();
        Thread carrier = Thread.ofPlatform().name("carrier").start(() -> queue.start(() -> Pinned.park(pinned)));
        Thread thread = pinned.get();
        Await.untilWaiting(thread);

        Unparking.unpark(thread);

        Await.untilEnded("the pinned thread", thread);
        carrier.join();
        assertThat(queue.size()).isZero();
    }

    /** Parks while its class is being initialised. */
    private static final class Pinned {
        private static final CompletableFuture<CompletableFuture<Thread>> TOLD = new CompletableFuture<>();

        private static final class Initialised {
            static {
                TOLD.join().complete(Thread.currentThread());
                LockSupport.park();
            }

            static void now() {}
        }

        static void park(CompletableFuture<Thread> told) {
            TOLD.complete(told);
            Initialised.now();
        }
    }

    @Test
    void aThreadThatHasNotStartedIsNotQueued() {
        Thread thread = queue.newThread(() -> {});

        Unparking.unpark(thread);

        assertThat(queue.size()).isZero();
        thread.start();
        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aThreadThatHasEndedIsNotQueued() {
        Thread thread = queue.start(() -> {});

        Unparking.unpark(thread);

        assertThat(queue.size()).isZero();
    }

    @Test
    void noThreadAtAllIsNoFailure() {
        Unparking.unpark(null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void threadsThatAreNotOursAreUnparkedByTheJdk(boolean virtual) {
        AtomicBoolean goOn = new AtomicBoolean();
        Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
        Thread thread = builder.name("not-ours").start(() -> parkUntil(goOn));
        Await.untilWaiting(thread);

        goOn.set(true);
        Unparking.unpark(thread);

        Await.untilEnded("a thread that is not ours", thread);
    }

    @Test
    void aThreadWhoseExecutorHasNoQueueIsUnparkedByTheJdk() {
        Thread thread = startOn(continuation -> queue.execute(continuation));

        Unparking.unpark(thread);

        assertThat(ParkedThreads.isParked(thread)).isFalse();
        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aThreadThatItsExecutorRefusesToQueueIsUnparkedByTheJdk() {
        Thread thread = startOn(new Unwilling(() -> false));

        Unparking.unpark(thread);

        assertThat(ParkedThreads.isParked(thread)).isFalse();
        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aThreadThatItsExecutorFailsToQueueIsUnparkedByTheJdk() {
        Thread thread = startOn(new Unwilling(() -> {
            throw new OutOfMemoryError("on purpose");
        }));

        Unparking.unpark(thread);

        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
    }

    /** Answers so when it is to queue a thread that is parked. */
    private final class Unwilling implements Executor, Unparking.ParkedQueue {
        private final BooleanSupplier answer;

        Unwilling(BooleanSupplier answer) {
            this.answer = answer;
        }

        @Override
        public void execute(Runnable continuation) {
            queue.execute(continuation);
        }

        @Override
        public boolean queue(Thread parked) {
            return answer.getAsBoolean();
        }
    }

    private Thread startOn(Executor executor) {
        Thread thread = Loom.newVirtualThread(executor, "by-hand", LockSupport::park);
        thread.start();
        queue.runFirst();
        assertThat(ParkedThreads.isParked(thread)).isTrue();
        return thread;
    }

    @Test
    void aThreadThatIsQueuedTwiceRunsOnOneCarrierAtATime() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        AtomicBoolean goOn = new AtomicBoolean();
        AtomicInteger runs = new AtomicInteger();
        Thread thread = queue.start(() -> {
            LockSupport.park();
            runs.incrementAndGet();
            inside.countDown();
            while (!goOn.get()) {
                Thread.onSpinWait();
            }
        });
        Unparking.unpark(thread);
        Unparking.unpark(thread);
        Thread carrier = Thread.ofPlatform().name("carrier").start(queue::runFirst);
        inside.await();
        try {
            queue.runFirst();
            assertThat(thread.isAlive()).isTrue();
            assertThat(Loom.carrierOf(thread)).isSameAs(carrier);
        } finally {
            goOn.set(true);
            carrier.join();
        }

        queue.runUntilEnded(thread);
        assertThat(runs).hasValue(1);
    }

    private static void parkUntil(AtomicBoolean condition) {
        while (!condition.get()) {
            LockSupport.park();
        }
    }

    /** As the JDK leaves a thread whose stack it had no memory to copy, if it was unparked meanwhile. */
    @Test
    void aThreadThatTheJdkLeftParkedWithAPermitIsHandedToItsExecutorAgain() throws Exception {
        Thread thread = queue.start(LockSupport::park);
        Field permit = thread.getClass().getDeclaredField("parkPermit");
        permit.setAccessible(true);
        permit.setBoolean(thread, true);
        LockSupport.unpark(thread);
        assertThat(queue.size()).as("the JDK only looks at the permit").isZero();

        ParkedThreads.resubmit(thread);

        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aThreadThatIsToRunAndIsInNoQueueIsHandedToItsExecutorAgain() {
        Thread thread = queue.start(Thread::yield);
        queue.drop();

        ParkedThreads.resubmit(thread);

        queue.runFirst();
        assertThat(thread.isAlive()).isFalse();
    }
}
