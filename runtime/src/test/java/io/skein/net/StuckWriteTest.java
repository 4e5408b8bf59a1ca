package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A peer that does not read, and small writes that get stuck behind each other. */
@Setup.Each
class StuckWriteTest extends NetworkTest {
    StuckWriteTest(Setup setup) {
        super(setup);
    }

    private static Socket narrowSocket() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1); // the kernel makes the least of it that it can
        return socket;
    }

    /** Writes the pattern until that fails; the count is of the bytes that were written, as the buffers say. */
    private static final class Writer {
        private final TcpStream stream;
        private long written;

        Writer(TcpStream stream) throws IOException {
            this.stream = stream;
            stream.setOption(StandardSocketOptions.SO_SNDBUF, 1);
        }

        void writeOn() throws IOException {
            while (true) {
                ByteBuffer source = patternAt(written, 3000);
                try {
                    stream.write(source);
                } finally {
                    written += source.position();
                }
            }
        }

        /** Until both ends are full, and a write has waited in vain. */
        void fill() {
            stream.writeTimeout(Duration.ofMillis(30));
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(this::writeOn);
            stream.writeTimeout(Duration.ZERO);
        }
    }

    private static ByteBuffer patternAt(long offset, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        Pattern.fill(buffer, offset);
        return buffer.flip();
    }

    private static void expectAtPeer(Socket peer, long total) throws IOException {
        InputStream in = peer.getInputStream();
        byte[] part = new byte[5000];
        long received = 0;
        for (int count = in.read(part); count >= 0; count = in.read(part)) {
            Pattern.check(ByteBuffer.wrap(part, 0, count), received);
            received += count;
        }
        assertThat(received).isEqualTo(total);
    }

    @Test
    void afterATimeoutAndACloseThePeerReadsWhatWasWrittenAndNoMore() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            Writer writer = new Writer(pair.stream());
            skein.blockOn(() -> {
                writer.fill();
                pair.stream().close();
            });
            expectAtPeer(pair.peer(), writer.written);
        }
    }

    @Test
    void afterATimeoutAShutdownOfTheOutputLosesNothingEither() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            Writer writer = new Writer(pair.stream());
            skein.blockOn(writer::fill);
            Coroutine<?> closing = skein.spawn("closing", () -> pair.stream().shutdownOutput());
            expectAtPeer(pair.peer(), writer.written);
            closing.join();
        }
    }

    @Test
    void anInterruptedWriteThatWaitsBehindAnotherSendsNothing() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            Writer writer = new Writer(pair.stream());
            skein.blockOn(writer::fill);
            Coroutine<?> writing = skein.spawn("writer", () -> {
                assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(writer::writeOn);
                assertThat(Thread.interrupted()).as("interrupt status").isTrue();
                pair.stream().close();
            });
            Await.untilWaiting(writing);
            writing.thread().interrupt();
            writing.join();

            expectAtPeer(pair.peer(), writer.written);
        }
    }

    @Test
    void aCloseLetsTheWriterGoThatWaitsBehindAnother() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            Writer writer = new Writer(pair.stream());
            skein.blockOn(writer::fill);
            Coroutine<?> writing = skein.spawn("writer", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(writer::writeOn)
                        .withMessageContaining("closed");
            });
            Await.untilWaiting(writing);
            skein.blockOn(() -> pair.stream().close());
            writing.join();

            expectAtPeer(pair.peer(), writer.written);
        }
    }

    /** What a peer does not read holds nobody up: neither the stream's close nor the runtime's. */
    @Test
    void theRuntimeClosesThoughThePeerReadsNothing() throws Exception {
        try (PlainPair closed = plainPair(narrowSocket());
                PlainPair open = plainPair(narrowSocket())) {
            Writer before = new Writer(closed.stream());
            Writer after = new Writer(open.stream());
            skein.blockOn(() -> {
                before.fill();
                closed.stream().close();
                after.fill();
            });
            closeWithinBound(skein);
        }
    }
}
