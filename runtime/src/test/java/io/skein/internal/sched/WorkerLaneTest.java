package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.internal.io.Lane;
import io.skein.internal.time.Timer;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a coroutine does that cannot give way while an operation of its own is in flight. */
@Setup.OnePerDriver
class WorkerLaneTest extends RuntimeTest {
    WorkerLaneTest(Setup setup) {
        super(setup);
    }

    /** Two coroutines may wait for one another's workers so. */
    @Test
    void whoWaitsForAnotherWorkersDriverDrivesItsOwn() throws Exception {
        boolean fired = skein.blockOn(() -> {
            Worker here = Objects.requireNonNull(Worker.current());
            Lane away = Arrays.stream(here.crew().workers())
                    .filter(worker -> worker != here)
                    .findFirst()
                    .orElseThrow()
                    .lane();
            Timer timer = new Timer() {
                @Override
                protected void fire() {}
            };
            here.wheel().arm(timer, System.nanoTime());
            while (!timer.hasFired() && !Thread.currentThread().isInterrupted()) {
                away.driveInPlace();
            }
            return timer.hasFired();
        });

        assertThat(fired).isTrue();
    }
}
