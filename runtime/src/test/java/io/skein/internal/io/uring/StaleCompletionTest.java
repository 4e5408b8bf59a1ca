package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.linux.Libc;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Completions that come with the user data of an operation that has ended, whose slot another has by then. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class StaleCompletionTest {
    private static final byte IORING_OP_MSG_RING = 40;

    @Test
    void aStaleCompletionDoesNotEndTheOperationThatHasTheSlotNow() throws Exception {
        LoneDriver.assumeSupported(IORING_OP_MSG_RING);
        long memory = Libc.allocate(Long.BYTES);
        try (LoneDriver driver = new LoneDriver(8, 16, 0);
                Pipe pipe = Pipe.open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                assertThat(new Nop().perform(driver)).isZero();
            }
            AnyOperation tenant = AnyOperation.read(pipe.exit(), memory, 1);
            Future<Integer> read = threads.submit(() -> tenant.perform(driver));
            Await.until("the read is in flight", () -> driver.ask(tenant::isInFlightOn));
            long former = tenant.userData() - (1L << 32);
            assertThat(former >>> 32).as("the slot had a tenant before").isPositive();

            AnyOperation forger = new AnyOperation(sqe -> sqe.opcode(IORING_OP_MSG_RING)
                    .fd(driver.ringFd())
                    .buffer(0, 1)
                    .offset(former));
            assertThat(forger.perform(driver)).as("the kernel has posted it").isZero();

            assertThat(driver.ask(tenant::isInFlightOn)).as("still waits").isTrue();
            assertThat(AnyOperation.write(pipe.entry(), memory, 1).perform(driver))
                    .isEqualTo(1);
            assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        } finally {
            Libc.free(memory);
        }
    }
}
