package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Rounds;
import io.skein.Setup;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** An interrupt comes while a file is opened, sooner or later: whatever wins, no descriptor is lost. */
@Setup.OnePerDriver
class FileOpenRaceTest extends FileTest {
    private static final int FEW = Rounds.of(3_000);
    private static final int MANY = 100_000;

    FileOpenRaceTest(Setup setup) {
        super(setup);
    }

    @Test
    void anOpenLosesNoDescriptor() throws Exception {
        race(FEW);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void anOpenLosesNoDescriptorInAHundredThousandRounds() throws Exception {
        race(MANY);
    }

    private void race(int rounds) throws Exception {
        Path path = file("");
        Semaphore begun = new Semaphore(0);
        AtomicInteger opened = new AtomicInteger();
        Coroutine<?> opener = skein.spawn("opener", () -> {
            for (int round = 0; round < rounds; round++) {
                begun.release();
                try {
                    FileHandle file = files().open(path, Set.of(WRITE, CREATE)); // on a thread of the kernel's own
                    opened.incrementAndGet();
                    file.close();
                } catch (InterruptedIOException e) {
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }
                Thread.interrupted();
            }
        });
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < rounds; round++) {
            assertThat(begun.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            for (int spins = random.nextInt(4000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            opener.thread().interrupt();
        }
        opener.join();
        assertThat(opened).as("files that were opened").hasPositiveValue();
    }
}
