package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Streams and channels of the JDK over a stream, and its two halves. */
@Setup.OnePerDriver
class ViewsTest extends NetworkTest {
    ViewsTest(Setup setup) {
        super(setup);
    }

    @Test
    void anInputStreamReadsBytesArraysAndTheEnd() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("\u00e9hello");
            pair.peer().shutdownOutput();
            skein.blockOn(() -> {
                InputStream in = pair.stream().inputStream();
                assertThat(in.read()).isEqualTo(0xc3);
                assertThat(in.read()).isEqualTo(0xa9);
                byte[] target = new byte[7];
                assertThat(in.readNBytes(target, 1, 5)).isEqualTo(5);
                assertThat(new String(target, StandardCharsets.UTF_8)).isEqualTo("\0hello\0");
                assertThat(in.read(target, 0, 0)).isZero();
                assertThat(in.read()).isEqualTo(-1);
                assertThat(in.read(target)).isEqualTo(-1);
            });
        }
    }

    @Test
    void anInputStreamTimesOutAsItsStreamDoes() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.stream().readTimeout(Duration.ofMillis(5));
            InputStream in = pair.stream().inputStream();
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(in::read);
            pair.peerSends("x");
            pair.stream().readTimeout(Duration.ofMinutes(10));
            assertThat(in.read()).isEqualTo('x');
        }
    }

    @Test
    void anOutputStreamWritesBytesAndArrays() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                OutputStream out = pair.stream().outputStream();
                out.write('h');
                out.write("..ello..".getBytes(StandardCharsets.UTF_8), 2, 4);
                out.flush();
            });
            assertThat(pair.peerReceives(5)).isEqualTo("hello");
        }
    }

    @Test
    void closingAViewClosesTheStream() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.stream().outputStream().close();

            assertThat(pair.peer().getInputStream().read()).isEqualTo(-1);
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> pair.stream().inputStream().read());
        }
    }

    @Test
    void aChannelReadsAndWrites() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                ByteChannel channel = pair.client().channel();
                assertThat(channel.write(bytes("hello"))).isEqualTo(5);
                assertThat(receive(pair.server(), 5)).isEqualTo("hello");
                send(pair.server(), "world");
                ByteBuffer target = ByteBuffer.allocate(5);
                while (target.hasRemaining()) {
                    channel.read(target);
                }
                assertThat(target.flip()).isEqualTo(bytes("world"));
                assertThat(channel.isOpen()).isTrue();
                channel.close();
                assertThat(channel.isOpen()).isFalse();
                assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> channel.read(target.clear()));
                assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> channel.write(target));
                assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            });
        }
    }

    @Test
    void halvesGoToTwoCoroutines() throws Exception {
        try (Pair pair = pair()) {
            Halves halves = pair.server().split();
            Coroutine<?> echo = skein.spawn("echo", () -> {
                try (ByteSource reader = halves.reader();
                        ByteSink writer = halves.writer()) {
                    ByteBuffer buffer = ByteBuffer.allocate(10);
                    while (reader.read(buffer.clear()) >= 0) {
                        writer.write(buffer.flip());
                    }
                }
            });
            skein.blockOn(() -> {
                send(pair.client(), "hello");
                assertThat(receive(pair.client(), 5)).isEqualTo("hello");
                pair.client().shutdownOutput();
                assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            });
            echo.join();
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void closingTheWritingHalfEndsTheStreamForThePeerAlone() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                Halves halves = pair.server().split();
                halves.writer().close();
                halves.writer().close();
                assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> halves.writer().write(bytes("x")))
                        .withMessageContaining("this half is closed");

                send(pair.client(), "hello");
                ByteBuffer target = ByteBuffer.allocate(5);
                halves.reader().readFully(target);
                assertThat(target.flip()).isEqualTo(bytes("hello"));

                halves.reader().close();
                expectClosed(pair.server());
            });
        }
    }

    private static void expectClosed(TcpStream stream) {
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> stream.write(bytes("x")))
                .withMessageContaining("closed");
    }

    @Test
    void aHalfTimesOutAsItsStreamDoes() throws Exception {
        try (Pair pair = pair()) {
            Halves halves = pair.server().split();
            halves.reader().readTimeout(Duration.ofMillis(5));
            halves.writer().writeTimeout(Duration.ofMinutes(1));
            assertThat(pair.server().writeTimeout()).isEqualTo(halves.writer().writeTimeout());
            assertThat(halves.reader().readTimeout()).isEqualTo(Duration.ofMillis(5));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> halves.reader().read(new byte[1]));
        }
    }

    @Test
    void closingTheStreamWakesWhoReadsFromAView() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> pair.server().inputStream().read());
            });
            Await.untilWaiting(reader);

            pair.server().close();

            reader.join();
        }
    }
}
