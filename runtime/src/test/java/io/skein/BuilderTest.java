package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class BuilderTest {
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aWorkerCountBelowOneIsRefusedAndNamed(int workers) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Skein.builder().workers(workers))
                .withMessageContaining(Integer.toString(workers));
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 0, 1, 3, 100})
    void aRingWhoseSizeIsNoPowerOfTwoFromTwoOnIsRefusedAndNamed(int entries) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Skein.builder().ringEntries(entries))
                .withMessageContaining(Integer.toString(entries));
    }

    @Test
    void byDefaultThereIsAWorkerPerProcessor() {
        try (Skein skein = Skein.start()) {
            assertThat(skein.workers()).isEqualTo(Runtime.getRuntime().availableProcessors());
        }
    }

    @Test
    void theDriverThatWasChosenIsNeverCalledAuto() {
        try (Skein skein = Skein.builder().driver(DriverKind.AUTO).workers(1).start()) {
            assertThat(skein.driver()).isIn(DriverKind.URING, DriverKind.NIO);
        }
    }

    @Test
    void autoChoosesTheRingWhereTheKernelGrantsOne() {
        DriverKind expected = KernelRing.refusal().isEmpty() ? DriverKind.URING : DriverKind.NIO;

        try (Skein skein = Skein.start()) {
            assertThat(skein.driver()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void aForcedDriverIsTheOneThatRuns(DriverKind kind) {
        Setup setup = new Setup(kind, 2, 0);

        try (Skein skein = setup.builder().start()) {
            assertThat(skein.driver()).isEqualTo(kind);
            assertThat(skein.workers()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void theDescriptionIsOneLineThatNamesTheDriver(DriverKind kind) {
        Setup setup = new Setup(kind, 2, 0);

        try (Skein skein = setup.builder().start()) {
            assertThat(skein.describe())
                    .isNotBlank()
                    .doesNotContain("\n")
                    .containsIgnoringCase(kind.name())
                    .contains("2");
        }
    }

    @Test
    void workerThreadsCarryTheNameOfTheirRuntime() {
        try (Skein skein = Skein.builder().name("weaver").workers(3).start()) {
            Await.until("three workers", () -> workersNamed("weaver") == skein.workers());
        }
        assertThat(workersNamed("weaver")).isZero();
    }

    @Test
    void withoutANameWorkersAreCalledSkein() {
        try (Skein skein = Skein.builder().workers(2).start()) {
            Await.until("two workers", () -> workersNamed("skein") == skein.workers());
        }
    }

    @Test
    @SuppressWarnings("try") // Closing early is the point.
    void aBuilderStartsRuntimesThatKnowNothingOfEachOther() throws InterruptedException {
        SkeinBuilder builder = Skein.builder().workers(1);

        try (Skein first = builder.start();
                Skein second = builder.start()) {
            first.close();

            assertThat(second.blockOn(() -> "alive")).isEqualTo("alive");
        }
    }

    private static long workersNamed(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix + "-worker"))
                .count();
    }
}
