package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.LeakCheck;
import io.skein.internal.io.Loan;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Loans that are taken back by the thread of a ring. */
@ExtendWith(LeakCheck.class)
class BufferRingTest {
    private static final int BUFFERS = 4;

    private LoneDriver driver;
    private LoneDriver other;

    @BeforeEach
    void open() {
        assumeTrue(KernelFeature.BUFFER_RING.isWanted(), "no buffers to lend");
        driver = new LoneDriver(4, 8, BUFFERS);
        other = new LoneDriver(4, 8, BUFFERS);
    }

    @AfterEach
    void close() {
        if (driver != null) {
            driver.close();
            other.close();
        }
    }

    private static BufferRing ring(UringDriver driver) {
        return Objects.requireNonNull(driver.buffers());
    }

    private static int taken(LoneDriver driver) {
        return driver.ask(it -> ring(it).taken());
    }

    /** As if a completion had brought the first buffer, and somebody had borrowed it. */
    private Loan lend() {
        return driver.ask(it -> {
            ring(it).taken(0, 1);
            return Objects.requireNonNull(ring(it).lend(0));
        });
    }

    @Test
    void aRingTakesItsOwnLoanBack() {
        Loan loan = lend();
        assertThat(taken(driver)).isEqualTo(1);

        assertThat(driver.<Boolean>ask(it -> ring(it).takeBack(loan))).isTrue();

        assertThat(taken(driver)).isZero();
    }

    @Test
    void aRingLeavesTheLoanOfAnother() {
        Loan loan = lend();

        assertThat(other.<Boolean>ask(it -> ring(it).takeBack(loan))).isFalse();

        assertThat(taken(other)).isZero();
        assertThat(taken(driver)).isEqualTo(1);
        loan.giveBack();
        assertThat(taken(driver)).isZero();
    }

    @Test
    void asManyAreLentAgainAsWereTakenBack() {
        for (int i = 0; i < 3 * BUFFERS; i++) {
            Loan loan = lend(); // which answers null for none
            driver.ask(it -> ring(it).takeBack(loan));
        }
    }
}
