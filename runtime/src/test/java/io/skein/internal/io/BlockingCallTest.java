package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

@Setup.OnePerDriver
class BlockingCallTest extends RuntimeTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    BlockingCallTest(Setup setup) {
        super(setup);
    }

    private String slowCall() {
        begun.countDown();
        Uninterruptibly.run(goOn::await);
        return "done";
    }

    private String callSlowly(Skein runtime) throws IOException {
        Scheduler scheduler = SchedulerAccess.of(runtime);
        return BlockingCall.make(scheduler, "call", "slowly", this::slowCall);
    }

    @Test
    void whoIsInterruptedAfterTheCallBeganWaitsForItsResult() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        Coroutine<String> caller = skein.spawn("caller", () -> {
            String result = callSlowly(skein);
            interrupted.set(Thread.interrupted());
            return result;
        });
        begun.await();
        Await.untilWaiting(caller);
        Thread thread = caller.thread();

        thread.interrupt();
        Await.until(
                "the interrupt is seen and the call waited for",
                () -> caller.isDone() || (!thread.isInterrupted() && thread.getState() == Thread.State.WAITING));
        assertThat(caller.isDone()).isFalse();

        goOn.countDown();
        assertThat(caller.join()).isEqualTo("done");
        assertThat(interrupted).isTrue();
    }

    @Test
    void whoIsInterruptedBeforeTheCallBeganDoesNotWaitAndNothingIsCalled() throws Exception {
        AtomicBoolean called = new AtomicBoolean();
        try (Skein narrow = setup.builder().blockingThreads(1).start()) {
            Coroutine<String> first = narrow.spawn("first", () -> callSlowly(narrow));
            begun.await();
            Scheduler scheduler = SchedulerAccess.of(narrow);
            Coroutine<?> second = narrow.spawn("second", () -> {
                assertThatExceptionOfType(InterruptedIOException.class)
                        .isThrownBy(() -> BlockingCall.make(scheduler, "read", "file", () -> called.getAndSet(true)))
                        .withMessage("read file: interrupted");
                assertThat(Thread.interrupted()).isTrue();
            });
            Await.untilWaiting(second);

            second.thread().interrupt();
            second.join();
            goOn.countDown();
            assertThat(first.join()).isEqualTo("done");
        }
        assertThat(called).isFalse();
    }

    @Test
    void aFailureOfTheCallIsTheCallers() throws Exception {
        Scheduler scheduler = SchedulerAccess.of(skein);
        IOException failure = new IOException("broken");

        skein.blockOn(() -> {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> BlockingCall.make(scheduler, "read", "file", () -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
        });
    }
}
