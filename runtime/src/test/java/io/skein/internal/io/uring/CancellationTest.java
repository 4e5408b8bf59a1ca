package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a cancel does with the kernel's answers. The test gives the answers, and the kernel has a read from an empty pipe. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class CancellationTest {
    private static final int NOT_FOUND = -Errno.ENOENT.number();
    private static final int ENTRIES = 512;

    private LoneDriver driver;
    private Pipe pipe;
    private ExecutorService threads;
    private long memory;
    private AnyOperation read;

    @BeforeEach
    void open() throws Exception {
        driver = new LoneDriver(ENTRIES, 2 * ENTRIES, 0);
        pipe = Pipe.open();
        threads = Executors.newVirtualThreadPerTaskExecutor();
        memory = Libc.allocate(Long.BYTES);
        read = AnyOperation.read(pipe.exit(), memory, 1);
    }

    @AfterEach
    void close() {
        if (driver.ask(read::isInFlightOn)) { // a test that failed has left it there
            AnyOperation.write(pipe.entry(), memory, 1).perform(driver);
        }
        threads.close();
        driver.close();
        pipe.close();
        Libc.free(memory);
    }

    private Future<Integer> startRead() {
        Future<Integer> result = threads.submit(() -> read.perform(driver));
        Await.until("the read is in flight", () -> driver.ask(read::isInFlightOn));
        return result;
    }

    /** What the driver has written for the kernel after it got an answer. */
    private int entriesAfter(Cancellation cancellation, int answer) {
        return driver.ask(own -> {
            int before = own.ring().submissions().pending();
            cancellation.completed(own, answer, 0, true);
            return own.ring().submissions().pending() - before;
        });
    }

    private void endRead(Future<Integer> result) throws Exception {
        assertThat(driver.ask(read::isInFlightOn)).as("still waits").isTrue();
        assertThat(AnyOperation.write(pipe.entry(), memory, 1).perform(driver)).isEqualTo(1);
        assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void aRequestThatTheKernelDidNotFindIsCancelledAgainWhileItIsInFlight() throws Exception {
        Future<Integer> result = startRead();

        assertThat(entriesAfter(driver.ask(_ -> new Cancellation(read)), NOT_FOUND))
                .isEqualTo(1);

        assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(-Errno.ECANCELED.number());
    }

    @Test
    void aRequestThatTheKernelHasFoundIsNotCancelledAgain() throws Exception {
        Future<Integer> result = startRead();
        Cancellation cancellation = driver.ask(_ -> new Cancellation(read));

        assertThat(entriesAfter(cancellation, 0)).isZero();
        assertThat(entriesAfter(cancellation, -Errno.EALREADY.number())).isZero();

        endRead(result);
    }

    @Test
    void aRequestThatHasEndedIsNotCancelledAgain() throws Exception {
        Future<Integer> result = startRead();
        Cancellation cancellation = driver.ask(_ -> new Cancellation(read));
        endRead(result);

        assertThat(entriesAfter(cancellation, NOT_FOUND)).isZero();
    }

    @Test
    void theNextUseOfAnOperationIsNotCancelledForThePrevious() throws Exception {
        Future<Integer> former = startRead();
        Cancellation cancellation = driver.ask(_ -> new Cancellation(read));
        endRead(former);
        Future<Integer> result = startRead();

        assertThat(entriesAfter(cancellation, NOT_FOUND)).isZero();
        driver.ask(own -> {
            own.submit(cancellation); // as if it had been sent late
            return true;
        });
        assertThat(new Nop().perform(driver)).isZero();

        endRead(result);
    }

    @Test
    void aRequestThatTheKernelNeverFindsIsNotCancelledForEver() throws Exception {
        Future<Integer> result = startRead();

        int entries = driver.ask(own -> {
            Cancellation cancellation = new Cancellation(read);
            int before = own.ring().submissions().pending();
            for (int i = 0; i < ENTRIES - 1; i++) {
                cancellation.completed(own, NOT_FOUND, 0, true);
            }
            return own.ring().submissions().pending() - before;
        });

        assertThat(entries).isPositive().isLessThan(ENTRIES - 1);
        assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(-Errno.ECANCELED.number());
    }

    @Test
    void aRequestThatIsNotInFlightIsNotCancelled() {
        int entries = driver.ask(own -> {
            int before = own.ring().submissions().pending();
            own.submitCancel(read);
            return own.ring().submissions().pending() - before;
        });

        assertThat(entries).isZero();
    }
}
