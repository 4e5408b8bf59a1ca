package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Loan;
import io.skein.internal.linux.Libc;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.WritePendingException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Loans that are handed on to writers: each comes back once, when its bytes have gone or cannot go. */
class SentLoansTest extends LoanTest {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(20);

    /** Counts how often it was given back. */
    private static final class Counted extends Loan {
        final AtomicInteger returns = new AtomicInteger();

        Counted() {
            super(ByteBuffer.allocateDirect(MUCH));
        }

        @Override
        public void giveBack() {
            returns.incrementAndGet();
        }

        void expectBack() {
            Await.until("the loan is back", () -> returns.get() > 0);
            assertThat(returns).hasValue(1);
        }
    }

    @Test
    void aLoanThatIsSentIsKeptUntilItsBytesHaveGone() throws Exception {
        Ends from = new Ends();
        Ends to = new Ends();
        from.peerSends(much(0));
        Loan loan = from.receive();
        to.stream.send(loan, Deadline.NONE);
        for (int i = 1; i < 3 * BUFFERS; i++) { // the ring goes round, and leaves it alone
            from.peerSends(much(i));
            from.receive().giveBack();
        }
        assertThat(taken()).isEqualTo(1);
        assertThat(to.peerReads(MUCH)).isEqualTo(much(0));
        Await.until("it is back", () -> taken() == 0);
        expectAllBuffersBack();
    }

    @Test
    void aLoanIsGivenBackOnceByEachEndOfASend() throws Exception {
        Ends ends = new Ends();
        Counted stuck = new Counted();
        ends.stream.send(stuck, Deadline.NONE);
        assertThat(stuck.returns).hasValue(0);

        Counted late = new Counted();
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> ends.stream.send(late, SOON));
        late.expectBack();

        Counted interrupted = new Counted();
        expectFailure(ends, interrupted, InterruptedIOException.class, Thread::interrupt);
        interrupted.expectBack();

        Counted evicted = new Counted();
        Counted second = new Counted();
        expectFailure(ends, evicted, SocketException.class, _ -> {
            assertThatExceptionOfType(WritePendingException.class)
                    .isThrownBy(() -> ends.stream.send(second, Deadline.NONE));
            ends.stream.close();
        });
        evicted.expectBack();
        second.expectBack();

        Counted closed = new Counted();
        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> ends.stream.send(closed, Deadline.NONE));
        closed.expectBack();

        assertThat(stuck.returns).hasValue(0);
        ends.peerReads(MUCH);
        stuck.expectBack();
    }

    /** What ends a send that waits. */
    @FunctionalInterface
    private interface Blow {
        void strike(Thread sender) throws IOException;
    }

    private static void expectFailure(Ends ends, Loan loan, Class<? extends IOException> failure, Blow blow)
            throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Thread[] sender = new Thread[1];
            Future<?> end = threads.submit(() -> {
                sender[0] = Thread.currentThread();
                assertThatExceptionOfType(failure).isThrownBy(() -> ends.stream.send(loan, Deadline.NONE));
            });
            Await.until("the sender waits", () -> sender[0] != null && sender[0].getState() == Thread.State.WAITING);
            blow.strike(sender[0]);
            end.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aSendThatFailsLaterGivesTheLoanBackAndFailsTheNext() throws Exception {
        Ends ends = new Ends();
        Counted stuck = new Counted();
        ends.stream.send(stuck, Deadline.NONE);
        Libc.shutdown(ends.sockets.there(), Libc.SHUT_RDWR);
        stuck.expectBack();
        Counted next = new Counted();
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> ends.stream.send(next, Deadline.NONE));
        next.expectBack();
    }
}
