package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers that are bound to a processor each, as the kernel sees them. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class CpuPinningTest {
    private static final String WORKER = "skein-test-work"; // The kernel keeps 15 characters.
    private static final String KEY = "Cpus_allowed_list";

    private final int processors = Runtime.getRuntime().availableProcessors();

    @BeforeEach
    void needsTheKernelsWord() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/task")), "no /proc here to ask");
    }

    @Test
    void eachWorkerIsBoundToAProcessorOfItsOwn() throws Exception {
        try (Skein skein = start(processors, true)) {
            List<String> allowed = FreeWorkers.status(WORKER, KEY);

            assertThat(allowed).hasSize(processors).doesNotHaveDuplicates().allMatch(list -> list.matches("\\d+"));
            assertThat(skein.blockOn(() -> "alive")).isEqualTo("alive");
        }
    }

    @Test
    void moreWorkersThanProcessorsShareThem() throws Exception {
        try (Skein skein = start(processors + 1, true)) {
            List<String> allowed = FreeWorkers.status(WORKER, KEY);

            assertThat(allowed).hasSize(processors + 1).allMatch(list -> list.matches("\\d+"));
            assertThat(allowed.stream().distinct()).hasSize(processors);
            assertThat(skein.workers()).isEqualTo(processors + 1);
        }
    }

    @Test
    void withoutTheOptionWorkersRunWhereTheProcessMay() throws Exception {
        try (Skein skein = start(2, false)) {
            String ofTheProcess = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(KEY))
                    .map(line -> line.substring(KEY.length() + 1).strip())
                    .findFirst()
                    .orElseThrow();

            assertThat(FreeWorkers.status(WORKER, KEY)).hasSize(2).containsOnly(ofTheProcess);
            assertThat(skein.workers()).isEqualTo(2);
        }
    }

    private static Skein start(int workers, boolean pin) {
        return new Mode(Scheduling.PINNED, workers).builder().pinToCpus(pin).start();
    }
}
