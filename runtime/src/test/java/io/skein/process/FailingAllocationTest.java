package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.DriverKind;
import io.skein.Skein;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An allocation on a worker's thread that fails, wherever it is: whom it was for gets the error, and all others go on. */
@Timeout(180)
class FailingAllocationTest {
    @TempDir
    private static Path classes;

    @TempDir
    private Path directory;

    @BeforeAll
    static void rewriteTheRuntime() throws Exception {
        Path own = ChildJvm.root(Skein.class);
        assumeTrue(Files.isDirectory(own), "the runtime's classes are in an archive: " + own);
        AllocationSites.rewrite(own, classes, Skein.class.getClassLoader());
    }

    @ParameterizedTest
    @CsvSource({"URING, 1", "URING, 2", "NIO, 2"})
    void nobodyIsStuckWhenAnAllocationFails(DriverKind driver, int workers) throws Exception {
        sweep(driver, workers, 11, 2_000);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"URING, 1", "URING, 2", "URING, 8", "NIO, 1", "NIO, 2", "NIO, 8"})
    void nobodyIsStuckWhicheverAllocationFails(DriverKind driver, int workers) throws Exception {
        sweep(driver, workers, 1, 80_000);
    }

    private void sweep(DriverKind driver, int workers, int step, int millis) throws Exception {
        try (ChildJvm child = new ChildJvm(
                directory,
                classes,
                FailingAllocation.class,
                driver.name(),
                Integer.toString(workers),
                Integer.toString(step),
                Integer.toString(millis))) {
            assertThat(Integer.parseInt(child.await("places:"))).isGreaterThan(10);
            child.await("all went well");
        }
    }
}
