package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.Rounds;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritePendingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Buffers of a ring that are lent to readers and handed on to writers: each comes back once, whatever happens. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class LoanTest {
    private static final int BUFFERS = 8;
    private static final int ALL_LENT = BUFFERS / 2;
    private static final int MUCH = 10_000;
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(20);

    private final LeasePool pool = new LeasePool();
    private final List<Ends> opened = new ArrayList<>();
    private UringBackend backend;
    private LoneDriver driver;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(KernelFeature.BUFFER_RING.isWanted(), "no buffers to lend");
        assumeTrue(KernelFeature.WHOLE_SENDS.isWanted(), "where sends are cut short every write waits");
        driver = new LoneDriver(16, 128, BUFFERS);
        backend = UringBackend.open(8);
    }

    @AfterEach
    void close() {
        if (driver != null) {
            opened.forEach(Ends::close);
            backend.close();
            driver.close();
        }
    }

    /** A stream, and the bare descriptor of its peer. */
    private final class Ends {
        final SocketPair sockets = SocketPair.open();
        final UringStream stream = new UringStream(
                backend,
                driver,
                sockets.here(),
                UnixDomainSocketAddress.of("here"),
                UnixDomainSocketAddress.of("there"));

        Ends() {
            Libc.setIntOption(
                    sockets.here(), 1, 7, 1); // SOL_SOCKET, SO_SNDBUF: the kernel makes the least of it that it can
            opened.add(this);
        }

        void peerSends(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            long source = Libc.allocate(bytes.length);
            try {
                Memory.copy(bytes, 0, source, bytes.length);
                assertThat(AnyOperation.send(sockets.there(), source, bytes.length)
                                .perform(driver))
                        .isEqualTo(bytes.length);
            } finally {
                Libc.free(source);
            }
        }

        String peerReads(int length) {
            byte[] bytes = new byte[length];
            long target = Libc.allocate(length);
            try {
                for (int read = 0; read < length; ) {
                    int count = AnyOperation.read(sockets.there(), target, length - read)
                            .perform(driver);
                    assertThat(count).as("bytes at the peer after %d", read).isPositive();
                    Memory.copy(target, bytes, read, count);
                    read += count;
                }
            } finally {
                Libc.free(target);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }

        Loan receive() throws IOException {
            return Objects.requireNonNull(stream.receive(pool, Deadline.NONE), "the end of the stream");
        }

        void close() {
            stream.close();
            Close.close(driver, sockets.there());
        }
    }

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

    private static String text(Loan loan) {
        return StandardCharsets.UTF_8.decode(loan.bytes().duplicate()).toString();
    }

    private static String much(int seed) {
        return String.valueOf((char) ('a' + seed % 26)).repeat(MUCH);
    }

    private int taken() {
        return driver.ask(it -> Objects.requireNonNull(it.buffers()).taken());
    }

    private void expectAllBuffersBack() {
        assertThat(taken()).as("buffers that were taken").isZero();
        int available = driver.ask(it -> Objects.requireNonNull(it.buffers()).available(it.ring()));
        if (!Errno.EINVAL.is(available)) { // the kernel may be too old to tell
            assertThat(available).as("buffers that the kernel has").isEqualTo(BUFFERS);
        }
    }

    @Test
    void whoFindsNoMemoryForACopyIsToldAndLosesNothing() throws Exception {
        LeasePool without = new LeasePool(_ -> {
            throw new OutOfMemoryError("on purpose");
        });
        List<Loan> lent = new ArrayList<>();
        for (int i = 0; i < ALL_LENT; i++) {
            Ends ends = new Ends();
            ends.peerSends("kept");
            lent.add(ends.receive());
        }
        Ends ends = new Ends();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> waiting = threads.submit(() -> ends.stream.receive(without, Deadline.NONE));
            ends.peerSends("hello");
            assertThat(waiting)
                    .failsWithin(30, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCauseInstanceOf(IOException.class)
                    .withMessageContaining("out of memory");
        }
        assertThatIOException().isThrownBy(() -> ends.stream.receive(without, Deadline.NONE));

        lent.forEach(Loan::giveBack);
        Loan hello = ends.receive();
        assertThat(text(hello)).isEqualTo("hello");
        hello.giveBack();
        expectAllBuffersBack();
    }

    @Test
    void aLoanIsTheBufferThatTheKernelReceivedInto() throws Exception {
        Ends ends = new Ends();
        ends.peerSends("hello");
        Loan loan = ends.receive();
        assertThat(text(loan)).isEqualTo("hello");
        assertThat(taken()).isEqualTo(1);
        loan.giveBack();
        expectAllBuffersBack();
    }

    @Test
    void whatCameBeforeAnybodyAskedIsLentToo() throws Exception {
        Ends ends = new Ends();
        ends.peerSends("ab");
        assertThat(ends.stream.read(ByteBuffer.allocate(1), Deadline.NONE)).isEqualTo(1);
        ends.peerSends("cd");
        Await.until("both wait for a reader", () -> taken() == 2);
        Loan rest = ends.receive();
        assertThat(text(rest))
                .as("a buffer that is partly read is copied, and what follows with it")
                .isEqualTo("bcd");
        rest.giveBack();
        expectAllBuffersBack();
    }

    @Test
    void halfOfTheBuffersAreLentAndOthersAreCopies() throws Exception {
        Ends hoarder = new Ends();
        Ends other = new Ends();
        List<Loan> loans = new ArrayList<>();
        for (int i = 0; i < 3 * BUFFERS; i++) {
            hoarder.peerSends(much(i));
            loans.add(hoarder.receive());
        }
        assertThat(taken()).isEqualTo(ALL_LENT);
        other.peerSends("other");
        Loan copy = other.receive();
        assertThat(text(copy)).isEqualTo("other");
        copy.giveBack();
        for (int i = 0; i < loans.size(); i++) {
            assertThat(text(loans.get(i))).isEqualTo(much(i));
            loans.get(i).giveBack();
        }
        expectAllBuffersBack();
        hoarder.peerSends("again");
        Loan again = hoarder.receive();
        assertThat(taken()).isEqualTo(1);
        again.giveBack();
    }

    @Test
    void whatAFormerHolderHasDoneToABufferIsNotSeenByTheNext() throws Exception {
        Ends ends = new Ends();
        for (int round = 0; round < 3 * BUFFERS; round++) {
            ends.peerSends("hello");
            Loan loan = ends.receive();
            assertThat(text(loan)).isEqualTo("hello");
            assertThat(loan.bytes().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            loan.giveBack();
            loan.bytes().order(ByteOrder.LITTLE_ENDIAN).limit(3).position(2); // too late, and it does no harm
        }
        expectAllBuffersBack();
    }

    @Test
    void severalThreadsGiveLoansBackAtOnce() throws Exception {
        driver.close();
        driver = new LoneDriver(16, 512, BufferRing.COUNT);
        int lent = BufferRing.COUNT / 2;
        Ends ends = new Ends();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < Rounds.of(200); round++) {
                List<Loan> loans = new ArrayList<>();
                for (int i = 0; i < lent; i++) {
                    ends.peerSends("x");
                    loans.add(ends.receive());
                }
                assertThat(taken()).isEqualTo(lent);
                Phaser together = new Phaser(2);
                Future<?> half = threads.submit(() -> giveBack(loans.subList(0, lent / 2), together));
                Future<?> otherHalf = threads.submit(() -> giveBack(loans.subList(lent / 2, lent), together));
                half.get(30, TimeUnit.SECONDS);
                otherHalf.get(30, TimeUnit.SECONDS);
                assertThat(taken()).as("taken after round %d", round).isZero();
            }
        }
    }

    private static boolean giveBack(List<Loan> loans, Phaser together) {
        together.arriveAndAwaitAdvance();
        loans.forEach(Loan::giveBack);
        return true;
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

    @Test
    void aLoanOutlivesItsDriver() throws Exception {
        Ends ends = new Ends();
        ends.peerSends("hello");
        Loan loan = ends.receive();
        ends.close();
        opened.clear();
        driver.close();
        System.gc();
        assertThat(text(loan)).isEqualTo("hello");
        loan.giveBack();
    }

    @Test
    void buffersThatWaitForAReaderComeBackWithTheCloseAndLoansLater() throws Exception {
        Ends ends = new Ends();
        ends.peerSends("lent");
        Loan loan = ends.receive();
        ends.peerSends("left");
        Await.until("one is lent and one waits", () -> taken() == 2);
        ends.stream.close();
        Await.until("the one that waited is back", () -> taken() == 1);
        assertThat(text(loan)).isEqualTo("lent");
        loan.giveBack();
        expectAllBuffersBack();
    }

    /** An interrupt and a byte come at the same time. Whichever wins, neither the byte nor its buffer is lost. */
    @Test
    void aReceiveThatIsInterruptedWhenSomethingComesLosesNothing() throws Exception {
        int rounds = Rounds.of(3000);
        Ends ends = new Ends();
        SplittableRandom random = new SplittableRandom(7);
        StringBuilder received = new StringBuilder();
        Thread reader = Thread.ofPlatform().name("reader").unstarted(() -> receiveAll(ends, rounds, received));
        reader.start();
        for (int round = 0; round < rounds; round++) {
            boolean interruptFirst = random.nextInt(3) == 0;
            if (interruptFirst) {
                reader.interrupt();
            }
            ends.peerSends(letter(round));
            if (!interruptFirst) {
                for (int spins = random.nextInt(500); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                reader.interrupt();
            }
        }
        Await.untilEnded("the reader", reader);
        for (int round = 0; round < rounds; round++) {
            assertThat(received.charAt(round))
                    .as("byte %d", round)
                    .isEqualTo(letter(round).charAt(0));
        }
        expectAllBuffersBack();
    }

    private static String letter(int round) {
        return String.valueOf((char) ('a' + round % 23));
    }

    private void receiveAll(Ends ends, int count, StringBuilder received) {
        while (received.length() < count) {
            try {
                @Nullable Loan loan = ends.stream.receive(pool, Deadline.NONE);
                if (loan == null) {
                    return;
                }
                received.append(text(loan));
                loan.giveBack();
            } catch (InterruptedIOException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            Thread.interrupted();
        }
    }
}
