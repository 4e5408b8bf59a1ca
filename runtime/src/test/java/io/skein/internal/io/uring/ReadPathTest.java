package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Rounds;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Loan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which way the bytes of a read come: by the receive that stays armed, or by a receive of the read's own. */
class ReadPathTest extends LoanTest {
    /** More messages in a row than it takes to change the way. */
    private static final int MANY = 10;

    private static final int ROOM = 64 * 1024;

    /** As much as a peer can send at once. */
    private static final int MOST = 30_000;

    private final ByteBuffer large = ByteBuffer.allocateDirect(ROOM);

    private static String read(Ends ends, ByteBuffer target) throws IOException {
        int count = ends.stream.read(target.clear(), Deadline.NONE);
        assertThat(count).isEqualTo(target.position());
        return StandardCharsets.UTF_8.decode(target.flip()).toString();
    }

    /** The peer sends messages, each of which is read before the next. */
    private void messages(Ends ends, String message, ByteBuffer target) throws IOException {
        for (int i = 0; i < MANY; i++) {
            ends.peerSends(message);
            assertThat(read(ends, target)).isEqualTo(message);
        }
    }

    /** Whether the driver takes bytes in before anybody asks for them. */
    private void expectReceiveArmed(Ends ends) throws IOException {
        ends.peerSends("ahead");
        Await.until("the bytes are in a buffer of the driver", () -> taken() == 1);
        assertThat(read(ends, large)).isEqualTo("ahead");
    }

    private void expectNoReceiveArmed(Ends ends) throws IOException {
        ends.peerSends("left");
        assertThat(taken()).as("buffers taken by what nobody has asked for").isZero();
        assertThat(read(ends, large)).isEqualTo("left");
    }

    @Test
    void smallMessagesComeByTheArmedReceiveHoweverLargeTheBuffer() throws Exception {
        Ends ends = new Ends();
        messages(ends, "small", large);
        expectReceiveArmed(ends);
        expectAllBuffersBack();
    }

    @Test
    void bulkIsReceivedIntoTheReadersBuffer() throws Exception {
        Ends ends = new Ends();
        messages(ends, much(1), large);
        expectNoReceiveArmed(ends);
        expectAllBuffersBack();
    }

    @Test
    void bulkIntoAHeapBufferThatHoldsNoMoreThanTheDriversComesByTheArmedReceive() throws Exception {
        Ends ends = new Ends();
        messages(ends, much(1), ByteBuffer.allocate(BufferRing.BUFFER_SIZE));
        expectReceiveArmed(ends);
    }

    @Test
    void bulkIntoSmallBuffersComesByTheArmedReceive() throws Exception {
        Ends ends = new Ends();
        for (int i = 0; i < MANY; i++) {
            ends.peerSends(much(i));
            for (int left = MUCH; left > 0; ) {
                left -= ends.stream.read(large.clear().limit(5000), Deadline.NONE);
            }
        }
        expectReceiveArmed(ends);
    }

    @Test
    void smallMessagesAfterBulkComeByTheArmedReceiveAgainAndBulkAfterTheseDoesNot() throws Exception {
        Ends ends = new Ends();
        messages(ends, much(1), large);
        messages(ends, "small", large);
        expectReceiveArmed(ends);
        messages(ends, much(2), large);
        expectNoReceiveArmed(ends);
        expectAllBuffersBack();
    }

    @Test
    void aLeaseIsTheDriversBufferEvenAfterBulk() throws Exception {
        Ends ends = new Ends();
        messages(ends, much(1), large);
        ends.peerSends("lent");
        Loan loan = ends.receive();
        assertThat(text(loan)).isEqualTo("lent");
        assertThat(taken()).isEqualTo(1);
        loan.giveBack();
        expectReceiveArmed(ends);
    }

    /** At the fifth read the armed receive is being stopped while its reader waits. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6})
    void aReaderThatIsInterruptedBetweenTheTwoWaysLosesNothing(int reads) throws Exception {
        Ends ends = new Ends();
        for (int i = 0; i < reads; i++) {
            ends.peerSends(much(i));
            assertThat(read(ends, large)).isEqualTo(much(i));
        }
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().name("reader").start(() -> {
            try {
                read(ends, ByteBuffer.allocateDirect(ROOM));
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        Await.untilWaiting(reader);
        reader.interrupt();
        Await.untilEnded("the reader", reader);
        assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);

        ends.peerSends("after");
        assertThat(read(ends, large)).isEqualTo("after");
        messages(ends, much(7), large);
        expectAllBuffersBack();
    }

    /** Streaks of small and of large messages, reads into all kinds of buffers, and interrupts. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void bytesKeepTheirOrderWhereverTheyAreReceived(long seed) throws Exception {
        int rounds = Rounds.of(2000);
        Ends ends = new Ends();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().name("reader").unstarted(() -> {
            try {
                readAll(ends, new SplittableRandom(seed));
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        reader.start();
        SplittableRandom random = new SplittableRandom(-seed);
        int sent = 0;
        for (int round = 0; round < rounds && reader.isAlive(); round++) {
            int most = round / 20 % 2 == 0 ? 100 : MOST;
            String message = pattern(sent, 1 + random.nextInt(most));
            ends.peerSends(message);
            sent += message.length();
            if (random.nextInt(10) == 0) {
                reader.interrupt();
            }
        }
        new Shutdown(ends.sockets.there(), 1).perform(driver); // SHUT_WR
        Await.untilEnded("the reader", reader);
        assertThat(failure.get()).isNull();
        assertThat(received).isEqualTo(sent);
        expectAllBuffersBack();
    }

    /** Of the reader's thread while that lives. */
    private int received;

    private void readAll(Ends ends, SplittableRandom random) throws IOException {
        ByteBuffer heap = ByteBuffer.allocate(ROOM);
        for (int round = 0; ; round++) {
            try {
                int kind = random.nextInt(20);
                if (kind == 0) {
                    Loan loan = ends.stream.receive(pool, Deadline.NONE);
                    if (loan == null) {
                        return;
                    }
                    check(loan.bytes());
                    loan.giveBack();
                } else {
                    ByteBuffer target = round / 50 % 2 == 0 ? large : heap;
                    target.clear();
                    if (kind < 3) {
                        target.limit(1 + random.nextInt(2000));
                    }
                    if (ends.stream.read(target, Deadline.NONE) < 0) {
                        return;
                    }
                    check(target.flip());
                }
            } catch (InterruptedIOException e) {
                assertThat(Thread.interrupted()).isTrue();
            }
            Thread.interrupted();
        }
    }

    private void check(ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit(); i++, received++) {
            if (bytes.get(i) != letter(received)) {
                throw new AssertionError("byte " + received + " is wrong");
            }
        }
    }

    private static byte letter(int offset) {
        return (byte) ('a' + (offset + offset / 26 + offset / 1000) % 26);
    }

    private static String pattern(int from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = letter(from + i);
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
