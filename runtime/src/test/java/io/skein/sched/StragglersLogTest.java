package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.Skein;
import io.skein.internal.loom.Loom;
import io.skein.sched.CapturedLog.Line;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A close that waits for somebody who idles says after some seconds for whom. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class StragglersLogTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private CapturedLog log;

    @BeforeEach
    void capture() throws ReflectiveOperationException {
        log = new CapturedLog();
    }

    @AfterEach
    void endCapture() throws ReflectiveOperationException {
        log.close();
    }

    private void idle() {
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void itNamesWhoLivesWithStackAndAge() throws Exception {
        Skein skein = Skein.builder().name("skein-test").workers(1).start();
        var _ = skein.spawn("forgotten", this::idle);
        skein.blockOn(() -> {
            Thread.ofVirtual().name("client-selector").start(this::idle);
        });
        Thread closer = Thread.ofPlatform().name("closer").start(skein::close);

        try {
            Await.until("a report", () -> !log.linesWith("close has waited").isEmpty());
        } finally {
            release.countDown();
            closer.join();
        }

        assertThat(log.linesWith("close has waited")).hasSize(1);
        Line line = log.linesWith("close has waited").getFirst();
        assertThat(line.level()).isEqualTo("WARNING");
        assertThat(line.message()).contains("skein-test: ", "forgotten, a coroutine", "StragglersLogTest.idle");
        if (Loom.available()) {
            assertThat(line.message())
                    .contains("client-selector, a virtual thread that was started in a coroutine")
                    .contains(" s ago");
        }
    }
}
