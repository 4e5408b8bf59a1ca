package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A spawn that races a stop is run or refused, and never lost. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class StopRaceTest {
    /** A way to stop a runtime. */
    enum Stop {
        CLOSE,
        CLOSE_WITH_BOUND,
        LOOP;

        void stop(Skein skein) {
            try {
                switch (this) {
                    case CLOSE -> skein.close();
                    case CLOSE_WITH_BOUND ->
                        assertThat(skein.close(Duration.ofSeconds(20))).isTrue();
                    case LOOP -> skein.loop();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSpawnThatRacesAStopIsRunOrRefused(Stop stop) throws Exception {
        race(stop, 300);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    @Timeout(300)
    void thousandsOfSpawnsThatRaceAStopAreRunOrRefused(Stop stop) throws Exception {
        race(stop, 5000);
    }

    private static void race(Stop stop, int rounds) throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            Scheduling scheduling = round % 2 == 0 ? Scheduling.STEALING : Scheduling.PINNED;
            Skein skein = new Mode(scheduling, 1 + round % 2)
                    .builder()
                    .driver(DriverKind.NIO)
                    .start();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread stopper = Thread.ofPlatform()
                    .uncaughtExceptionHandler((_, e) -> failure.set(e))
                    .start(() -> stop.stop(skein));

            AtomicInteger ran = new AtomicInteger();
            int accepted = spawnUntilRefused(skein, ran);
            stopper.join();

            assertThat(failure.get()).isNull();
            assertThat(ran).as("those that ran, of those accepted").hasValue(accepted);
            assertThat(skein.metrics().liveCoroutines()).isZero();
        }
    }

    /** Spawns parents with a child each, at most so many that a loop gets its chance. */
    private static int spawnUntilRefused(Skein skein, AtomicInteger ran) throws InterruptedException {
        int accepted = 0;
        try {
            while (true) {
                Coroutine<?> parent = skein.spawn(() -> {
                    var _ = Skein.current().spawn(ran::incrementAndGet);
                    ran.incrementAndGet();
                });
                accepted += 2;
                if (accepted % 8 == 0) {
                    parent.join();
                }
            }
        } catch (RejectedExecutionException refused) {
            return accepted;
        }
    }
}
