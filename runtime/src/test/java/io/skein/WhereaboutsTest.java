package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever gives up waiting for a coroutine learns where the coroutine was at that moment. */
@Mode.Each
@Timeout(60)
class WhereaboutsTest extends ModeTest {
    private final CountDownLatch release = new CountDownLatch(1);

    WhereaboutsTest(Mode mode) {
        super(mode);
    }

    @AfterEach
    void releaseTheStuck() {
        release.countDown();
    }

    private void stuckHere() throws InterruptedException {
        release.await();
    }

    private static void spinHere(AtomicBoolean over) {
        while (!over.get()) {
            Thread.onSpinWait();
        }
    }

    /** What the call throws when its thread, which is a platform thread, is interrupted after {@code ready}. */
    private static Throwable interruptedIn(ThrowingCallable call, ThrowingCallable ready) throws Throwable {
        Throwable[] thrown = new Throwable[1];
        Thread waiting = Thread.ofPlatform().daemon().start(() -> thrown[0] = catchThrowable(call));
        ready.call();
        Await.untilWaiting(waiting);
        waiting.interrupt();
        Await.untilEnded("the interrupted call", waiting);
        return thrown[0];
    }

    private static void tells(Throwable thrown, String what, String method) {
        assertThat(thrown.getSuppressed()).anySatisfy(suppressed -> {
            assertThat(suppressed).hasMessage(what);
            assertThat(StackTraces.methodsOf(suppressed)).contains(method);
        });
    }

    @Test
    void anInterruptedBlockOnShowsWhereTheCoroutineWaited() throws Throwable {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean parked = new AtomicBoolean();
        Thread[] coroutine = new Thread[1];
        Throwable thrown = interruptedIn(
                () -> skein.blockOn(() -> {
                    coroutine[0] = Thread.currentThread();
                    coroutine[0].setName("stuck");
                    begun.countDown();
                    stuckHere();
                    parked.set(true);
                }),
                () -> {
                    begun.await();
                    Await.untilWaiting(coroutine[0]);
                });

        assertThat(thrown).isInstanceOf(InterruptedException.class).hasMessageContaining("stuck");
        tells(thrown, "stuck was waiting here", "stuckHere");
        assertThat(parked).isFalse();
    }

    @Test
    void anInterruptedJoinShowsWhereTheCoroutineWaits() throws Throwable {
        Coroutine<?> stuck = skein.spawn("stuck", this::stuckHere);
        Await.untilWaiting(stuck);

        Throwable thrown = interruptedIn(stuck::join, () -> {});
        release.countDown();

        assertThat(thrown).isInstanceOf(InterruptedException.class);
        tells(thrown, "stuck was waiting here", "stuckHere");
        stuck.join();
    }

    @Test
    void aCoroutineThatIsInterruptedInAJoinLearnsItToo() throws Throwable {
        Coroutine<?> stuck = skein.spawn("stuck", this::stuckHere);
        Coroutine<Throwable> joining = skein.spawn(() -> catchThrowable(stuck::join));
        Await.untilWaiting(stuck);
        Await.untilWaiting(joining);

        joining.thread().interrupt();

        tells(joining.join(), "stuck was waiting here", "stuckHere");
        release.countDown();
        stuck.join();
    }

    @Test
    void aGetThatRunsOutOfTimeShowsWhereTheCoroutineWaits() throws Exception {
        Coroutine<?> stuck = skein.spawn("stuck", this::stuckHere);
        Await.untilWaiting(stuck);

        Throwable thrown = catchThrowable(() -> stuck.get(1_500, TimeUnit.MICROSECONDS));
        release.countDown();

        assertThat(thrown).isInstanceOf(TimeoutException.class).hasMessage("stuck has not ended after 1.5 ms");
        tells(thrown, "stuck was waiting here", "stuckHere");
        stuck.join();
    }

    @Test
    void aCoroutineThatComputesIsShownToo() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Coroutine<?> busy = skein.spawn("busy", () -> {
            begun.countDown();
            spinHere(over);
        });
        begun.await();

        Throwable thrown = catchThrowable(() -> busy.get(1, TimeUnit.MILLISECONDS));
        over.set(true);

        tells(thrown, "busy was running here", "spinHere");
        busy.join();
    }

    /** The JVM has no stack of a thread that runs a generator's body: whoever gives up does not wait for it. */
    @Test
    void aCoroutineThatComputesInAGeneratorKeepsNobodyFromGivingUp() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Coroutine<?> busy = skein.spawn("busy", () -> {
            boolean _ = Generator.<Integer>of(_ -> {
                        begun.countDown();
                        spinHere(over);
                    })
                    .hasNext();
        });
        begun.await();

        Throwable thrown = catchThrowable(() -> busy.get(1, TimeUnit.MILLISECONDS));
        boolean gaveUpFirst = !over.getAndSet(true);

        assertThat(thrown).isInstanceOf(TimeoutException.class);
        assertThat(gaveUpFirst).isTrue();
        busy.join();
    }

    @Test
    void aFailureThatTheInterruptCausesIsToldAfterThePlace() throws Throwable {
        CountDownLatch begun = new CountDownLatch(1);
        Thread[] coroutine = new Thread[1];
        Throwable thrown = interruptedIn(
                () -> skein.blockOn(() -> {
                    coroutine[0] = Thread.currentThread();
                    begun.countDown();
                    try {
                        stuckHere();
                    } catch (InterruptedException e) {
                        throw new CompletionException("clean-up failed", null);
                    }
                }),
                () -> {
                    begun.await();
                    Await.untilWaiting(coroutine[0]);
                });

        assertThat(thrown.getSuppressed()).hasSize(2);
        assertThat(thrown.getSuppressed()[1]).hasMessage("clean-up failed");
    }
}
