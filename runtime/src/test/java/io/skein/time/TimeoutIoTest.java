package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Limits around I/O: what was not there in time is there for the next call. */
@Setup.OnePerDriver
class TimeoutIoTest extends RuntimeTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    TimeoutIoTest(Setup setup) {
        super(setup);
    }

    @Test
    void aReadThatIsLateLosesNoBytes() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind("127.0.0.1", 0);
                    TcpStream client = TcpStream.connect(listener.localAddress());
                    TcpStream server = listener.accept()) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(16);
                for (byte i = 0; i < 20; i++) {
                    assertThatExceptionOfType(TimeoutException.class)
                            .isThrownBy(() -> Time.timeout(SHORT, () -> client.read(buffer.clear())));
                    server.write(ByteBuffer.wrap(new byte[] {i}));

                    assertThat(client.read(buffer.clear())).isEqualTo(1);
                    assertThat(buffer.get(0)).isEqualTo(i);
                }
            }
        });
    }

    @Test
    void bytesThatComeAsTheTimePassesAreReadOnce() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind("127.0.0.1", 0);
                    TcpStream client = TcpStream.connect(listener.localAddress());
                    TcpStream server = listener.accept()) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(16);
                for (byte i = 0; i < 50; i++) {
                    byte sent = i;
                    Deadline deadline = Deadline.after(Duration.ofMillis(3));
                    var writer = skein.spawn(() -> {
                        Time.sleepUntil(deadline);
                        server.write(ByteBuffer.wrap(new byte[] {sent}));
                    });
                    int read;
                    try {
                        read = Time.timeout(deadline, () -> client.read(buffer.clear()));
                    } catch (TimeoutException e) {
                        read = client.read(buffer.clear());
                    }
                    assertThat(read).isEqualTo(1);
                    assertThat(buffer.get(0)).isEqualTo(i);
                    writer.join();
                }
            }
        });
    }
}
