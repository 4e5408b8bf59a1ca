package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Action;
import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Skein;
import io.skein.sched.CapturedLog.Line;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Without a failure handler, a failure that nobody joined is one line in the log, written by no worker. */
@Mode.Each
class UnheardFailureLogTest extends ModeTest {
    private CapturedLog log;

    UnheardFailureLogTest(Mode mode) {
        super(mode);
    }

    @BeforeEach
    void capture() throws ReflectiveOperationException {
        log = new CapturedLog();
    }

    @AfterEach
    void release() throws ReflectiveOperationException {
        log.close();
    }

    @Test
    void aFailureThatNobodyJoinedIsOneLineFromAThreadThatIsNoWorker() {
        try (Skein silent = mode.builder().start()) {
            var _ = silent.spawn("forgotten", (Action) () -> {
                throw new IllegalStateException("thread snapped");
            });
            Await.until("it is logged", () -> !log.linesWith("forgotten").isEmpty());
        }

        assertThat(log.linesWith("forgotten")).hasSize(1);
        Line line = log.linesWith("forgotten").getFirst();
        assertThat(line.level()).isEqualTo("WARNING");
        assertThat(line.thread().isVirtual()).isFalse();
        assertThat(line.thread().getName()).doesNotContain("worker");
    }

    @Test
    void aFailureThatSomebodyJoinedIsNotLogged() throws Exception {
        CountDownLatch snap = new CountDownLatch(1);
        try (Skein silent = mode.builder().start()) {
            Coroutine<?> failing = silent.spawn("remembered", (Action) () -> {
                snap.await();
                throw new IllegalStateException("thread snapped");
            });
            Coroutine<?> joiner = silent.spawn(() -> {
                assertThatExceptionOfType(CompletionException.class).isThrownBy(failing::join);
            });
            Await.untilWaiting(joiner);
            snap.countDown();
            joiner.join();
        }

        assertThat(log.linesWith("remembered")).isEmpty();
    }
}
