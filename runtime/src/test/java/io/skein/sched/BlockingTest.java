package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Skein;
import io.skein.SkeinBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Mode.OneWorker
class BlockingTest extends ModeTest {
    private static final int CAP = 3;

    BlockingTest(Mode mode) {
        super(mode);
    }

    @Override
    protected SkeinBuilder adjust(SkeinBuilder builder) {
        return builder.blockingThreads(CAP);
    }

    @Test
    void theCodeRunsOnAPlatformThreadThatIsNoWorkerAndItsValueComesBack() throws Exception {
        Thread thread = skein.blockOn(() -> Skein.blocking(Thread::currentThread));

        assertThat(thread.isVirtual()).isFalse();
        assertThat(thread.getName()).startsWith("skein-test-").doesNotContain("worker");
    }

    @Test
    void aNullComesBackToo() throws Exception {
        String value = skein.blockOn(() -> Skein.<String>blocking(() -> null));

        assertThat(value).isNull();
    }

    @Test
    void whileTheCodeBlocksTheCallersWorkerIsFree() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        Coroutine<String> caller = skein.spawn(() -> Skein.blocking(() -> {
            blocked.countDown();
            release.await();
            return "unblocked";
        }));
        blocked.await();
        Await.untilWaiting(caller);

        assertThat(skein.blockOn(() -> "meanwhile")).isEqualTo("meanwhile");

        release.countDown();
        assertThat(caller.join()).isEqualTo("unblocked");
    }

    @Test
    void noMoreThreadsThanTheCapRunAtOnceAndAllTheRestRunsLater() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore permits = new Semaphore(0);
        List<Coroutine<?>> callers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            callers.add(skein.spawn(() -> Skein.blocking(() -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                permits.acquire();
                return running.decrementAndGet();
            })));
        }
        Await.until("the cap is reached", () -> running.get() == CAP);
        callers.forEach(Await::untilWaiting);
        assertThat(running).hasValue(CAP);

        permits.release(50);
        for (Coroutine<?> caller : callers) {
            caller.join();
        }

        assertThat(most).hasValue(CAP);
    }

    @Test
    void anInterruptOfTheCallerReachesTheCode() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Coroutine<?> caller = skein.spawn(() -> Skein.blocking(() -> {
            blocked.countDown();
            try {
                return new CountDownLatch(1).await(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        }));
        blocked.await();

        caller.cancel(true);

        interrupted.await();
        Await.until("the caller ends", caller::isDone);
        assertThat(caller.isCancelled()).isTrue();
    }

    @Test
    void aCallerThatIsInterruptedBeforeTheCodeBeganDoesNotRunIt() throws Exception {
        Semaphore permits = new Semaphore(0);
        AtomicInteger blocked = new AtomicInteger();
        for (int i = 0; i < CAP; i++) {
            var _ = skein.spawn(() -> Skein.blocking(() -> {
                blocked.incrementAndGet();
                permits.acquire();
                return "done";
            }));
        }
        Await.until("all threads block", () -> blocked.get() == CAP);
        AtomicBoolean ran = new AtomicBoolean();
        Coroutine<?> late = skein.spawn(() -> Skein.blocking(() -> ran.getAndSet(true)));
        Await.untilWaiting(late);

        late.cancel(true);
        Await.until("the late one ends", late::isDone);
        permits.release(CAP);
        skein.close();

        assertThat(late.isCancelled()).isTrue();
        assertThat(ran).isFalse();
    }

    @Test
    void whatTheCodeThrowsComesThrough() {
        IOException failure = new IOException("disk on fire");

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> Skein.blocking(() -> {
                    throw failure;
                })))
                .withCause(failure);
    }

    @Test
    void anErrorComesThroughToo() {
        AssertionError failure = new AssertionError("wrong");

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> Skein.blocking(() -> {
                    throw failure;
                })))
                .withCause(failure);
    }

    @Test
    void aCallerThatIsNoCoroutineRunsTheCodeItself() throws Exception {
        assertThat(Skein.blocking(Thread::currentThread)).isSameAs(Thread.currentThread());
    }

    @Test
    void codeThatBlocksInsideBlockingCodeNeedsNoSecondThread() throws Exception {
        boolean same = skein.blockOn(() -> Skein.blocking(() -> {
            Thread outer = Thread.currentThread();
            return Skein.blocking(Thread::currentThread) == outer;
        }));

        assertThat(same).isTrue();
    }

    @Test
    void aCloseWaitsForTheCode() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        Coroutine<String> caller = skein.spawn(() -> Skein.blocking(() -> {
            blocked.countDown();
            release.await();
            return "in time";
        }));
        blocked.await();
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);
        Await.untilWaiting(closer);

        release.countDown();
        closer.join();

        assertThat(caller.join()).isEqualTo("in time");
    }
}
