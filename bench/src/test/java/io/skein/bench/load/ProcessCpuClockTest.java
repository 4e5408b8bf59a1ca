package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import org.junit.jupiter.api.Test;

class ProcessCpuClockTest {
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
    void saysWhoseTimeCannotBeRead() {
        int noProcess = 4_194_304; // the kernel stops just below
        assertThatIOException()
                .isThrownBy(() -> ProcessCpuClock.of(noProcess).nanos())
                .withMessageContaining("process " + noProcess);
    }
}
