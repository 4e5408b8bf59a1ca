package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessCpuClockTest {
    private static final long SEVERAL_TICKS = Duration.ofMillis(50).toNanos();

    @Test
    void advancesWhileTheProcessWorks() throws Exception {
        ProcessCpuClock clock = ProcessCpuClock.of(ProcessHandle.current().pid());
        long before = clock.nanos();
        long worked = 0;
        while (clock.nanos() == before) {
            worked++;
        }
        assertThat(worked).isNotNegative();
        assertThat(clock.nanos()).isGreaterThan(before);
    }

    @Test
    void countsWhatAChildUsedOnceItHasEnded() throws Exception {
        ProcessCpuClock family = ProcessCpuClock.ofThisAndItsChildren();
        ProcessCpuClock alone = ProcessCpuClock.of(ProcessHandle.current().pid());
        long before = family.nanos() - alone.nanos();
        String someWork = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        long ofChildren = 0;
        for (int i = 0; i < 100 && ofChildren <= SEVERAL_TICKS; i++) {
            assertThat(new ProcessBuilder("sh", "-c", someWork).start().waitFor())
                    .isZero();
            ofChildren = family.nanos() - alone.nanos() - before;
        }
        assertThat(ofChildren).isGreaterThan(SEVERAL_TICKS);
    }

    @Test
    void saysWhoseTimeCannotBeRead() {
        int noProcess = 4_194_304; // the kernel stops just below
        assertThatIOException()
                .isThrownBy(() -> ProcessCpuClock.of(noProcess).nanos())
                .withMessageContaining("process " + noProcess);
    }
}
