package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream whose output is shut down while another thread writes to it, and its peer reads nothing. */
@Setup.Each
class ShutdownOutputTest extends NetworkTest {
    private static final int MORE_THAN_FITS = 16 << 20;

    /** The kernel may put off for 0.2 s to tell the sender that there is room. */
    private static final Duration IN_VAIN = Duration.ofMillis(500);

    ShutdownOutputTest(Setup setup) {
        super(setup);
    }

    private static Socket narrowSocket() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1); // the kernel makes the least of it that it can
        return socket;
    }

    /** Writes until a write has waited in vain; returns how much was written. */
    private long fill(TcpStream stream) throws Exception {
        stream.setOption(StandardSocketOptions.SO_SNDBUF, 1);
        stream.writeTimeout(IN_VAIN);
        long written = skein.blockOn(() -> {
            for (long total = 0; ; ) {
                ByteBuffer source = ByteBuffer.allocate(3000);
                try {
                    stream.write(source);
                } catch (SocketTimeoutException full) {
                    return total + source.position();
                }
                total += source.position();
            }
        });
        stream.writeTimeout(null);
        return written;
    }

    /** How a coroutine writes that is let go. */
    private void expectBrokenPipe(SocketStream stream, ByteBuffer... sources) throws Exception {
        Coroutine<?> writer = skein.spawn("writer", () -> {
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> write(stream, sources))
                    .withMessageStartingWith("write ")
                    .withMessageEndingWith(": broken pipe");
        });
        Await.untilWaiting(writer);

        stream.shutdownOutput();

        writer.join();
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> stream.write(bytes("more")))
                .withMessageEndingWith(": broken pipe");
        stream.shutdownOutput(); // again
    }

    private static void write(SocketStream stream, ByteBuffer... sources) throws IOException {
        if (sources.length == 1) {
            stream.write(sources[0]);
        } else {
            stream.write(sources);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theWriterGetsABrokenPipe(boolean direct) throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            expectBrokenPipe(
                    pair.stream(),
                    direct ? ByteBuffer.allocateDirect(MORE_THAN_FITS) : ByteBuffer.allocate(MORE_THAN_FITS));
        }
    }

    @Test
    void soDoesAWriterOfSeveralBuffers() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            expectBrokenPipe(
                    pair.stream(),
                    ByteBuffer.allocateDirect(MORE_THAN_FITS / 2),
                    ByteBuffer.allocateDirect(MORE_THAN_FITS / 2));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void soDoesAWriterOfAUnixSocket(int buffers, @TempDir Path directory) throws Exception {
        Path path = directory.resolve("socket");
        try (UnixListener listener = UnixListener.bind(skein, path);
                UnixStream client = UnixStream.connect(skein, path);
                UnixStream server = listener.accept()) {
            ByteBuffer[] sources = new ByteBuffer[buffers];
            for (int i = 0; i < buffers; i++) {
                sources[i] = ByteBuffer.allocateDirect(MORE_THAN_FITS / buffers);
            }
            expectBrokenPipe(client, sources);
            assertThat(server.isOpen()).isTrue();
        }
    }

    @Test
    void whatWasWrittenBeforeArrivesThoughAnotherWriterWaitsBehindIt() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            TcpStream stream = pair.stream();
            long written = fill(stream);
            Coroutine<Integer> waiting = skein.spawn(() -> {
                ByteBuffer source = ByteBuffer.allocate(3000);
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> stream.write(source))
                        .withMessageEndingWith(": broken pipe");
                return source.position();
            });
            Await.untilWaiting(waiting);

            stream.shutdownOutput();

            long total = written + waiting.join();
            assertThat(pair.peer().getInputStream().readAllBytes()).hasSize((int) total);
        }
    }

    @Test
    void nobodyWaitsForAPeerThatReadsNothing() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            TcpStream stream = pair.stream();
            boolean _ = fill(stream) > 0;

            stream.shutdownOutput();
            stream.close();
        }
    }

    @Test
    void readingGoesOn() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            expectBrokenPipe(pair.stream(), ByteBuffer.allocateDirect(MORE_THAN_FITS));
            pair.peerSends("hello");
            assertThat(receive(pair.stream(), 5)).isEqualTo("hello");
        }
    }

    @Test
    void anInterruptOfAWriterIsStillAnInterrupt() throws Exception {
        try (PlainPair pair = plainPair(narrowSocket())) {
            Coroutine<String> writer = skein.spawn(() -> {
                try {
                    pair.stream().write(ByteBuffer.allocateDirect(MORE_THAN_FITS));
                } catch (IOException e) {
                    return e.getMessage() + Thread.interrupted();
                }
                return "written";
            });
            Await.untilWaiting(writer);
            writer.thread().interrupt();
            assertThat(writer.join()).endsWith("interruptedtrue");
        }
    }
}
