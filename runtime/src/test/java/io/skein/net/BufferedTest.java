package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import io.skein.Skein;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Reading ahead, writing later, and looking for delimiters. */
@Setup.OnePerDriver
class BufferedTest extends NetworkTest {
    private static final byte LINE_FEED = '\n';

    BufferedTest(Setup setup) {
        super(setup);
    }

    private static String line(ByteSource source, int limit) throws IOException {
        return new String(source.readUntil(LINE_FEED, limit), StandardCharsets.UTF_8);
    }

    @Test
    void aStreamIsReadUpToADelimiterAndNoFurther() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("one\ntwo\n\nrest");
            pair.peer().shutdownOutput();
            skein.blockOn(() -> {
                assertThat(line(pair.stream(), 100)).isEqualTo("one\n");
                assertThat(line(pair.stream(), 4)).isEqualTo("two\n");
                assertThat(line(pair.stream(), 100)).isEqualTo("\n");
                assertThat(receive(pair.stream(), 2)).isEqualTo("re");
                assertThat(pair.stream().read(ByteBuffer.allocate(1), ByteBuffer.allocate(1)))
                        .isPositive();
                assertThat(line(pair.stream(), 100)).isIn("t", "");
                assertThat(line(pair.stream(), 100)).isEmpty();
                assertThat(pair.stream().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            });
        }
    }

    @Test
    void whereThereIsNoDelimiterNothingIsConsumed() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("too long\n");
            skein.blockOn(() -> {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> line(pair.stream(), 8))
                        .withMessageContaining("no delimiter among the first 8 bytes");
                assertThat(line(pair.stream(), 9)).isEqualTo("too long\n");
            });
        }
    }

    @Test
    void aTimeoutInTheMiddleOfALineLosesNothing() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("begin");
            skein.blockOn(() -> {
                pair.stream().readTimeout(Duration.ofMillis(20));
                assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> line(pair.stream(), 100));
                pair.peerSends(" and end\n");
                pair.stream().readTimeout(null);
                assertThat(line(pair.stream(), 100)).isEqualTo("begin and end\n");
            });
        }
    }

    @Test
    void aLineMayBeLongerThanTheBuffer() throws Exception {
        String line = "x".repeat(100_000) + "\n";
        try (PlainPair pair = plainPair()) {
            Coroutine<?> peer = skein.spawn("peer", () -> pair.peerSends(line + "next\n"));
            skein.blockOn(() -> {
                BufferedSource source = new BufferedSource(pair.stream(), 64);
                assertThat(line(source, 100_001)).isEqualTo(line);
                assertThat(line(source, 100)).isEqualTo("next\n");
            });
            peer.join();
        }
    }

    @Test
    void whatWasReadAheadIsReadFirst() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("0123456789");
            pair.peer().shutdownOutput();
            skein.blockOn(() -> {
                BufferedSource source = new BufferedSource(pair.stream());
                assertThat(source.readByte()).isEqualTo('0');
                while (source.buffered() > 0) {
                    int before = source.buffered();
                    source.read(new byte[1]);
                    assertThat(source.buffered()).isEqualTo(before - 1);
                }
                assertThat(source.read(ByteBuffer.allocate(0))).isZero();
                byte[] large = new byte[BufferedSource.BUFFER_SIZE];
                for (int count = 0; count >= 0; count = source.read(large)) {}
                assertThatExceptionOfType(EOFException.class).isThrownBy(source::readByte);
            });
        }
    }

    @Test
    void oneByteAtATimeComesThrough() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peer().setTcpNoDelay(true);
            Coroutine<?> peer = skein.spawn("peer", () -> {
                for (String letter : "one line, a byte at a time\n".split("", -1)) {
                    pair.peerSends(letter);
                    Coroutine.yieldNow();
                }
            });
            assertThat(skein.blockOn(() -> line(pair.stream(), 100))).isEqualTo("one line, a byte at a time\n");
            peer.join();
        }
    }

    @Test
    void twoReadersOfOneBufferGetAClearError() throws Exception {
        try (PlainPair pair = plainPair()) {
            BufferedSource source = new BufferedSource(pair.stream());
            Coroutine<Integer> reader = skein.spawn("reader", source::readByte);
            Await.untilWaiting(reader);

            assertThatExceptionOfType(ReadPendingException.class).isThrownBy(source::readByte);

            pair.peerSends("x");
            assertThat(reader.join()).isEqualTo('x');
        }
    }

    @Test
    void smallWritesAreCollectedUntilTheyAreFlushed() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                BufferedSink sink = new BufferedSink(pair.stream(), 8);
                sink.write(bytes("abc"));
                sink.writeByte('d');
                pair.peer().setSoTimeout(20);
                assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> pair.peerReceives(1));
                pair.peer().setSoTimeout(0);
                sink.flush();
                assertThat(pair.peerReceives(4)).isEqualTo("abcd");
                sink.flush();
            });
        }
    }

    @Test
    void whatDoesNotFitIsWrittenInOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                try (BufferedSink sink = new BufferedSink(pair.stream(), 4)) {
                    sink.write(bytes("ab"));
                    sink.write(bytes("cdefgh"));
                    sink.write(bytes("ijklmnop"));
                    for (char letter : "qrstuv".toCharArray()) {
                        sink.writeByte(letter);
                    }
                }
                assertThat(pair.peerReceives(100)).isEqualTo("abcdefghijklmnopqrstuv");
            });
        }
    }

    @Test
    void anOutputStreamOverABufferFlushes() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                var out = new BufferedSink(pair.stream()).outputStream();
                out.write("hello".getBytes(StandardCharsets.UTF_8));
                out.flush();
                assertThat(pair.peerReceives(5)).isEqualTo("hello");
            });
        }
    }

    @Test
    void whatAFlushCouldNotWriteIsKept() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                BufferedSink sink = new BufferedSink(pair.stream(), 32 << 20);
                sink.write(ByteBuffer.allocate(32 << 20));
                sink.writeTimeout(Duration.ofMillis(20));
                assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(sink::flush);
                sink.writeTimeout(null);
                Coroutine<Long> peer = skein.spawn(
                        "peer",
                        () -> Long.valueOf(Skein.blocking(
                                () -> pair.peer().getInputStream().readAllBytes().length)));
                sink.close();
                assertThat(peer.join()).isEqualTo(32 << 20);
            });
        }
    }

    @Test
    void aSizeOrLimitOfNothingIsAMistake() throws Exception {
        try (PlainPair pair = plainPair()) {
            assertThatIllegalArgumentException().isThrownBy(() -> new BufferedSource(pair.stream(), 0));
            assertThatIllegalArgumentException().isThrownBy(() -> new BufferedSink(pair.stream(), 0));
            assertThatIllegalArgumentException().isThrownBy(() -> line(pair.stream(), 0));
        }
    }
}
