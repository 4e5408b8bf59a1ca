package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.DriverKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A heap that is full: whoever allocates gets the error, and the others go on when there is memory again. */
@Timeout(180)
class FullHeapTest {
    @TempDir
    private Path directory;

    private ChildJvm start(String heap, String scenario, DriverKind driver, int workers, int millis)
            throws IOException {
        return new ChildJvm(
                directory,
                "export JDK_JAVA_OPTIONS=-Xmx" + heap,
                FullHeap.class,
                scenario,
                driver.name(),
                Integer.toString(workers),
                Integer.toString(millis));
    }

    @ParameterizedTest
    @CsvSource({"URING, 1", "URING, 2", "NIO, 2"})
    void nobodyIsStuckAfterAFullHeap(DriverKind driver, int workers) throws Exception {
        fillAgainAndAgain(driver, workers, 1_500);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"URING, 1", "URING, 2", "URING, 8", "NIO, 1", "NIO, 2", "NIO, 8"})
    void nobodyIsStuckAfterAMinuteOfFullHeaps(DriverKind driver, int workers) throws Exception {
        fillAgainAndAgain(driver, workers, 60_000);
    }

    private void fillAgainAndAgain(DriverKind driver, int workers, int millis) throws Exception {
        try (ChildJvm child = start("32m", "moments", driver, workers, millis)) {
            assertThat(Integer.parseInt(child.await("times full:"))).isPositive();
            child.await("nobody is stuck");
            child.await("closed");
        }
    }

    @ParameterizedTest
    @CsvSource({"URING, 1", "URING, 2", "URING, 8", "NIO, 2"})
    void aBodyThatTakesAllMemoryFailsAndTheOthersGoOn(DriverKind driver, int workers) throws Exception {
        try (ChildJvm child = start("64m", "body", driver, workers, 0)) {
            assertThat(child.await("failed with")).contains("OutOfMemoryError");
            child.await("the bystander went on");
            child.await("closed");
        }
    }

    @ParameterizedTest
    @CsvSource({"URING, 1", "URING, 2", "URING, 8", "NIO, 2"})
    void spawningWithoutEndFailsAndLosesNobody(DriverKind driver, int workers) throws Exception {
        try (ChildJvm child = start("32m", "spawning", driver, workers, 0)) {
            assertThat(child.await("failed with")).contains("OutOfMemoryError");
            child.await("all have ended");
            child.await("closed");
        }
    }

    /** The JDK swallows that there is no memory to put a stack aside, and parks the worker. */
    @ParameterizedTest
    @CsvSource({"URING, 1", "URING, 2", "NIO, 1"})
    void whoFindsNoMemoryToWaitGetsTheErrorAfterASecond(DriverKind driver, int workers) throws Exception {
        try (ChildJvm child = start("32m", "waiting", driver, workers, 0)) {
            long nanos = Long.parseLong(child.await("waited for its error: "));
            assertThat(Duration.ofNanos(nanos)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            child.await("closed");
        }
    }
}
