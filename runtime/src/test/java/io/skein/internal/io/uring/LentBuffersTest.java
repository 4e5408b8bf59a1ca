package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.skein.Await;
import io.skein.Rounds;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Buffers of a ring that are lent to readers: each comes back once, whatever happens. */
class LentBuffersTest extends LoanTest {
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
