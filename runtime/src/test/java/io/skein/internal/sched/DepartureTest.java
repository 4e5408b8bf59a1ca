package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.internal.loom.Loom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DepartureTest {
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void aSpareRunsTheCoroutineOnce() {
        Departure departure = new Departure().of(runs::incrementAndGet);
        departure.run();
        departure.run();
        assertThat(runs).hasValue(1);
    }

    @Test
    void whoIsBackIsNotRunByASpareThatComesLate() {
        Departure departure = new Departure().of(runs::incrementAndGet);
        departure.callOff();
        departure.run();
        assertThat(runs).hasValue(0);
    }

    @Test
    void whoIsBackWaitsForASpareThatIsAtIt() throws Exception {
        AtomicBoolean spareIsDone = new AtomicBoolean();
        AtomicBoolean wasDone = new AtomicBoolean();
        Departure departure = new Departure();
        Thread back = Thread.ofPlatform().unstarted(() -> {
            departure.callOff();
            wasDone.set(spareIsDone.get());
        });
        departure
                .of(() -> {
                    back.start();
                    Await.untilInside("callOff", back);
                    spareIsDone.set(true);
                })
                .run();
        back.join();
        assertThat(wasDone).isTrue();
    }

    @Test
    void whoFindsNoSpareBlocksAtItsWorker() throws Exception {
        assumeTrue(Loom.available(), "without flags nobody is carried");
        Process child = new ProcessBuilder("cat").start();
        child.getOutputStream().write('x');
        child.getOutputStream().flush();
        try (Skein skein = Skein.builder().workers(1).start()) {
            SchedulerAccess.of(skein).spares().close(); // as if no thread could be started

            Coroutine<Integer> reader = skein.spawn(() -> child.getInputStream().read());

            assertThat(reader.join()).isEqualTo('x');
        } finally {
            child.getOutputStream().close();
            child.waitFor();
            child.getInputStream().close();
            child.getErrorStream().close();
        }
    }
}
