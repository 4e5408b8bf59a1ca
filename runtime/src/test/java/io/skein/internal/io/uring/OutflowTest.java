package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Loan;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Small writes on a driver of their own: no buffer is lost, and none is held for ever. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class OutflowTest {
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final NativeBuffers pool = new NativeBuffers(false);
    private LoneDriver driver;

    @BeforeEach
    void open() {
        LoneDriver.assumeWholeSends();
        driver = new LoneDriver(8, 64, 2);
    }

    @AfterEach
    void close() {
        if (driver != null) {
            driver.close();
        }
        pool.close();
    }

    /** One side writes, the other reads when the test says so. */
    private final class Stream {
        final SocketPair sockets = SocketPair.open();
        final Home home = new Home();
        final Outflow outflow = new Outflow(sockets.here(), true);
        final Put put = new Put(sockets.here(), home, pool, outflow);
        private final long farewellNanos;

        Stream(long farewellNanos) {
            this.farewellNanos = farewellNanos;
            Libc.setIntOption(
                    sockets.here(), 1, 7, 1); // SOL_SOCKET, SO_SNDBUF: the kernel makes the least of it that it can
        }

        int write(int length, long deadline) {
            return put.write(driver, deadline, ByteBuffer.allocate(length));
        }

        /** Writes until a write has waited in vain; returns how much was written. */
        int fill() {
            int written = 0;
            while (true) {
                int result = write(1000, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
                if (Errno.ETIME.is(result)) {
                    put.forgetDeadline();
                    return written;
                }
                assertThat(result).isPositive();
                written += result;
            }
        }

        void closeHere() {
            Lane at = Objects.requireNonNull(home.lane());
            Close.close(driver, sockets.here(), at, outflow::close);
            if (outflow.isInFlight()) {
                outflow.limit(at, farewellNanos);
            }
        }

        /** Reads to the end of the stream; returns how much there was. */
        int readAll() {
            long target = Libc.allocate(10_000);
            try {
                int total = 0;
                for (int count = read(target); count > 0; count = read(target)) {
                    total += count;
                }
                return total;
            } finally {
                Libc.free(target);
            }
        }

        private int read(long target) {
            return AnyOperation.read(sockets.there(), target, 10_000).perform(driver);
        }

        void closeThere() {
            Close.close(driver, sockets.there());
        }
    }

    private int lent() {
        return driver.ask(it -> it.sendBuffers().lent());
    }

    @Test
    void aBufferComesBackWhenItsBytesHaveGone() {
        Stream stream = new Stream(HOUR);
        assertThat(stream.write(10, Deadline.NONE)).isEqualTo(10);
        stream.closeHere();
        assertThat(stream.readAll()).isEqualTo(10);
        assertThat(lent()).isZero();
        stream.closeThere();
    }

    @Test
    void withoutAFreeBufferAWriteWaitsForTheKernel() {
        List<Long> all = new ArrayList<>();
        driver.ask(it -> {
            for (long buffer = it.sendBuffers().take();
                    buffer != SendBuffers.NONE;
                    buffer = it.sendBuffers().take()) {
                all.add(buffer);
            }
            return all;
        });
        Stream stream = new Stream(HOUR);
        assertThat(stream.write(10, Deadline.NONE)).isEqualTo(10);
        assertThat(stream.outflow.isInFlight()).isFalse();
        driver.ask(it -> {
            all.forEach(it.sendBuffers()::giveBack);
            return all;
        });
        assertThat(stream.write(10, Deadline.NONE)).isEqualTo(10);
        stream.closeHere();
        assertThat(stream.readAll()).isEqualTo(20);
        assertThat(lent()).isZero();
        stream.closeThere();
    }

    @Test
    void afterACloseThePeerStillReadsEverything() {
        Stream stream = new Stream(HOUR);
        int written = stream.fill();
        stream.closeHere();
        assertThat(lent()).isEqualTo(1);
        assertThat(stream.readAll()).isEqualTo(written);
        assertThat(lent()).isZero();
        stream.closeThere();
    }

    @Test
    void theBytesOfAClosedStreamAreGivenUpWhenThePeerDoesNotReadThemInTime() {
        Stream stream = new Stream(MOMENT);
        int written = stream.fill();
        stream.closeHere();
        Await.until("the buffer is back", () -> lent() == 0);
        assertThat(stream.outflow.isInFlight()).isFalse();
        assertThat(stream.readAll()).isLessThan(written);
        stream.closeThere();
    }

    @Test
    void aDriverThatStopsGivesUpWhatIsStuck() {
        expectStopWithStuckSends();
    }

    private void expectStopWithStuckSends() {
        Stream closed = new Stream(HOUR);
        closed.fill();
        closed.closeHere();
        Stream open = new Stream(HOUR);
        open.fill();
        driver.close();
        assertThat(open.outflow.isInFlight()).isFalse();
        assertThat(closed.outflow.isInFlight()).isFalse();
        Libc.close(open.sockets.here());
        Libc.close(open.sockets.there());
        Libc.close(closed.sockets.there());
    }

    @Test
    void aDriverThatStopsGivesALoanBackOnce() {
        AtomicInteger returns = new AtomicInteger();
        Stream stream = new Stream(HOUR);
        stream.fill();
        Loan loan = new Loan(ByteBuffer.allocateDirect(1000)) {
            @Override
            public void giveBack() {
                returns.incrementAndGet();
            }
        };
        assertThat(stream.put.write(driver, System.nanoTime() + MOMENT, loan)).isEqualTo(-Errno.ETIME.number());
        assertThat(stream.put.handedOn()).as("one that waited in vain").isFalse();
        Stream other = new Stream(HOUR);
        Loan large = new Loan(ByteBuffer.allocateDirect(100_000)) {
            @Override
            public void giveBack() {
                returns.incrementAndGet();
            }
        };
        assertThat(other.put.write(driver, Deadline.NONE, large)).isEqualTo(100_000);
        assertThat(other.put.handedOn()).isTrue();
        stream.put.forgetDeadline();
        driver.close();
        assertThat(returns).hasValue(1);
        for (Stream left : List.of(stream, other)) {
            Libc.close(left.sockets.here());
            Libc.close(left.sockets.there());
        }
    }

    /**
     * Making room in the submission queue ends a send, and with it the wait of the next write, whose entry is put off. The stream
     * is closed before the driver is driven again.
     */
    @Test
    void aSendThatWasPutOffGoesBeforeTheClose() throws Exception {
        driver.close();
        driver = new LoneDriver(2, 16, 2);
        Stream stream = new Stream(HOUR);
        Put second = new Put(stream.sockets.here(), stream.home, pool, stream.outflow);
        CountDownLatch allSent = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        threads.add(inTurn(() -> driver.ask(_ -> {
            Uninterruptibly.run(allSent::await);
            return true;
        })));
        threads.add(inTurn(() -> stream.write(10, Deadline.NONE)));
        threads.add(inTurn(() -> second.write(driver, Deadline.NONE, ByteBuffer.allocate(20))));
        threads.add(inTurn(() -> driver.ask(it -> {
            while (second.isWaiting()) {
                it.submit(new AnyOperation(sqe -> sqe.opcode(Abi.IORING_OP_NOP)));
            }
            return true;
        })));
        threads.add(inTurn(stream::closeHere));
        allSent.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(stream.readAll()).isEqualTo(30);
        assertThat(stream.outflow.failure()).isZero();
        assertThat(lent()).isZero();
        stream.closeThere();
    }

    /** Starts something that waits for the driver, and returns when it does. */
    private static Thread inTurn(Runnable call) {
        Thread thread = Thread.ofVirtual().start(call);
        Await.untilWaiting(thread);
        return thread;
    }

    /** As on a kernel that has no buffers for receives, and cannot be told to cancel everything. */
    @Test
    void aDriverWithoutReceiveBuffersThatStopsGivesUpWhatIsStuckToo() {
        driver.close();
        driver = new LoneDriver(8, 64, 0);
        expectStopWithStuckSends();
    }

    @Test
    void aFailureIsToldByEveryLaterWrite() {
        Stream stream = new Stream(HOUR);
        stream.closeThere();
        assertThat(stream.write(10, Deadline.NONE)).isEqualTo(10);
        assertThat(stream.write(10, Deadline.NONE)).isEqualTo(-Errno.EPIPE.number());
        assertThat(stream.write(10_000, Deadline.NONE)).isEqualTo(-Errno.EPIPE.number());
        assertThat(stream.put.settle(driver, Deadline.NONE)).isEqualTo(-Errno.EPIPE.number());
        assertThat(lent()).isZero();
        stream.closeHere();
    }
}
