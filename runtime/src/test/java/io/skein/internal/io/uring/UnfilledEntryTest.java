package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Operations that find no memory when they are to fill their entry. */
class UnfilledEntryTest {
    private static final String NO_MEMORY = "on purpose";

    /** Fills what it can, and fails. */
    private static AnyOperation failing(int fd, long address) {
        return new AnyOperation(sqe -> {
            sqe.opcode(Abi.IORING_OP_WRITE).fd(fd).buffer(address, 1).offset(Abi.NO_OFFSET);
            throw new OutOfMemoryError(NO_MEMORY);
        });
    }

    private static boolean submitted(UringDriver driver, UringOperation operation) {
        driver.submit(operation);
        return true;
    }

    @Test
    void theKernelDoesNotSeeAnEntryThatWasNotFilled() throws Exception {
        long memory = Libc.allocate(Long.BYTES);
        try (LoneDriver driver = new LoneDriver(2, 4, 0);
                Pipe pipe = Pipe.open()) {
            Memory.plainLong(memory, 0x0201);
            assertThat(AnyOperation.write(pipe.entry(), memory, 1).perform(driver))
                    .isEqualTo(1);
            for (int i = 0; i < 5; i++) { // more than there are entries: each of them was a write before
                AnyOperation broken = failing(pipe.entry(), memory);
                assertThatThrownBy(() -> driver.ask(here -> submitted(here, broken)))
                        .hasRootCauseInstanceOf(OutOfMemoryError.class)
                        .hasRootCauseMessage(NO_MEMORY);
            }
            assertThat(AnyOperation.write(pipe.entry(), memory + 1, 1).perform(driver))
                    .isEqualTo(1);
            assertThat(AnyOperation.read(pipe.exit(), memory, Long.BYTES).perform(driver))
                    .as("bytes that were written")
                    .isEqualTo(2);
            assertThat((short) Memory.plainLong(memory)).isEqualTo((short) 0x0201);
        } finally {
            Libc.free(memory);
        }
    }

    @Test
    void whoWaitsForAnOperationThatACompletionAskedForIsTold() throws Exception {
        long memory = Libc.allocate(Long.BYTES);
        try (LoneDriver driver = new LoneDriver(8, 16, 0);
                Pipe pipe = Pipe.open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            AnyOperation broken = failing(pipe.entry(), memory);
            Future<Integer> result = threads.submit(() -> new StartedByANop(broken).perform(driver));
            assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(-Errno.ENOMEM.number());
            assertThat(new Nop().perform(driver)).as("the driver goes on").isZero();
        } finally {
            Libc.free(memory);
        }
    }

    /** Goes to the kernel as a no-op, and again as another operation when that has completed. */
    private static final class StartedByANop extends UringOperation {
        private final UringOperation second;
        private boolean again;

        StartedByANop(UringOperation second) {
            this.second = second;
        }

        @Override
        public void fill(Sqe sqe) {
            if (again) {
                second.fill(sqe);
            } else {
                new Nop().fill(sqe);
            }
        }

        @Override
        public void completed(UringDriver driver, int result, int flags, boolean isLast) {
            if (again) {
                super.completed(driver, result, flags, isLast);
            } else {
                again = true;
                driver.submit(this);
            }
        }
    }
}
