package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Loan;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sends that nobody waits for and that go out in parts. A kernel seldom does that, so the test says in its place how much has
 * gone, before the kernel has seen the entry. It sees it all the same: so the peer gets the whole, and after it each rest.
 */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class ShortSendTest {
    private static final String TEXT = "0123456789abcdefghij";
    private static final String BEFORE = "not sent";

    private final NativeBuffers pool = new NativeBuffers(false);
    private final CountDownLatch release = new CountDownLatch(1);
    private LoneDriver driver;
    private SocketPair sockets;
    private Outflow outflow;
    private Put put;

    @BeforeEach
    void open() {
        LoneDriver.assumeWholeSends();
        driver = new LoneDriver(8, 64, 0);
        sockets = SocketPair.open();
        outflow = new Outflow(sockets.here(), true);
        put = new Put(sockets.here(), new Home(), pool, outflow);
    }

    @AfterEach
    void close() {
        release.countDown();
        if (driver != null) {
            driver.close();
            Libc.close(sockets.here());
            Libc.close(sockets.there());
        }
        pool.close();
    }

    /** Counts how often it was given back. */
    private static final class Counted extends Loan {
        final AtomicInteger returns = new AtomicInteger();

        Counted() {
            super(ByteBuffer.allocateDirect(100));
            bytes().put(encoded(BEFORE + TEXT)).flip().position(BEFORE.length());
        }

        @Override
        public void giveBack() {
            returns.incrementAndGet();
        }
    }

    private static byte[] encoded(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The driver does nothing until it is released: what comes to it meanwhile waits in its order. */
    private void hold() {
        FutureTask<Boolean> _ = queued(() -> driver.ask(_ -> {
            Uninterruptibly.run(release::await);
            return true;
        }));
    }

    private static <T> FutureTask<T> queued(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Await.untilWaiting(Thread.ofVirtual().start(task));
        return task;
    }

    /** Writes, lets something happen on the driver's thread right after that, and returns when it has. */
    private void write(Callable<Integer> write, Consumer<UringDriver> then) throws Exception {
        hold();
        FutureTask<Integer> written = queued(write);
        FutureTask<Boolean> happened = queued(() -> driver.ask(it -> {
            then.accept(it);
            return true;
        }));
        release.countDown();
        assertThat(written.get(30, TimeUnit.SECONDS)).isEqualTo(TEXT.length());
        happened.get(30, TimeUnit.SECONDS);
    }

    private int writeText() {
        return put.write(driver, Deadline.NONE, ByteBuffer.wrap(encoded(TEXT)));
    }

    /** Says how the send that is in flight has ended. */
    private void ended(UringDriver it, int result) {
        it.complete(outflow.userData(), result, 0);
    }

    private void expectAtPeer(String expected) {
        byte[] bytes = new byte[expected.length()];
        long target = Libc.allocate(bytes.length);
        try {
            for (int read = 0; read < bytes.length; ) {
                int count = AnyOperation.read(sockets.there(), target, bytes.length - read)
                        .perform(driver);
                assertThat(count).as("bytes at the peer after %d", read).isPositive();
                Memory.copy(target, bytes, read, count);
                read += count;
            }
        } finally {
            Libc.free(target);
        }
        assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(expected);
    }

    private List<Long> buffers() {
        return driver.ask(it -> {
            SendBuffers buffers = it.sendBuffers();
            List<Long> all = new ArrayList<>();
            for (long free = buffers.take(); free != SendBuffers.NONE; free = buffers.take()) {
                all.add(free);
            }
            all.forEach(buffers::giveBack);
            return all;
        });
    }

    private void expectEnd() {
        Await.until("nothing is in flight", () -> !outflow.isInFlight());
    }

    @Test
    void eachRestIsSentAndTheBufferComesBack() throws Exception {
        List<Long> before = buffers();
        write(this::writeText, it -> {
            ended(it, 4);
            ended(it, 9);
        });
        expectAtPeer(TEXT + TEXT.substring(4) + TEXT.substring(13));
        expectEnd();
        assertThat(outflow.failure()).isZero();
        assertThat(buffers()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void aFailureAfterAPartGivesTheBufferBack() throws Exception {
        List<Long> before = buffers();
        write(this::writeText, it -> {
            ended(it, TEXT.length() - 1);
            ended(it, -Errno.ECONNRESET.number());
        });
        expectEnd();
        assertThat(outflow.failure()).isEqualTo(-Errno.ECONNRESET.number());
        assertThat(buffers()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void theRestOfAClosedStreamIsGivenUpAndTheBufferComesBack() throws Exception {
        List<Long> before = buffers();
        write(this::writeText, it -> {
            ended(it, 4);
            outflow.close();
            ended(it, 9);
        });
        expectEnd();
        assertThat(outflow.failure()).isEqualTo(-Errno.EPIPE.number());
        assertThat(buffers()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void eachRestOfALoanIsSentAndItIsGivenBackOnce() throws Exception {
        Counted loan = new Counted();
        write(() -> put.write(driver, Deadline.NONE, loan), it -> {
            ended(it, 4);
            ended(it, 9);
            assertThat(loan.returns).hasValue(0);
        });
        expectAtPeer(TEXT + TEXT.substring(4) + TEXT.substring(13));
        expectEnd();
        assertThat(loan.returns).hasValue(1);
    }

    @Test
    void whoMovesThePositionOfALoanThatIsBeingSentDoesNotChangeWhatIsSent() throws Exception {
        Counted loan = new Counted();
        hold();
        FutureTask<Integer> written = queued(() -> put.write(driver, Deadline.NONE, loan));
        loan.bytes().position(1).limit(2);
        release.countDown();
        assertThat(written.get(30, TimeUnit.SECONDS)).isEqualTo(TEXT.length());
        expectAtPeer(TEXT);
        expectEnd();
        assertThat(loan.returns).hasValue(1);
    }
}
