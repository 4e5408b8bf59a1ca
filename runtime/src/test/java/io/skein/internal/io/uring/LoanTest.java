package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.LeakCheck;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the tests of loans share: a driver with few buffers, and streams whose peer is a bare descriptor. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class LoanTest {
    static final int BUFFERS = 8;
    static final int ALL_LENT = BUFFERS / 2;
    static final int MUCH = 10_000;

    final LeasePool pool = new LeasePool();
    final List<Ends> opened = new ArrayList<>();
    private UringBackend backend;
    LoneDriver driver;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(KernelFeature.BUFFER_RING.isWanted(), "no buffers to lend");
        LoneDriver.assumeWholeSends();
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
    final class Ends {
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

    static String text(Loan loan) {
        return StandardCharsets.UTF_8.decode(loan.bytes().duplicate()).toString();
    }

    static String much(int seed) {
        return String.valueOf((char) ('a' + seed % 26)).repeat(MUCH);
    }

    final int taken() {
        return driver.ask(it -> Objects.requireNonNull(it.buffers()).taken());
    }

    final void expectAllBuffersBack() {
        assertThat(taken()).as("buffers that were taken").isZero();
        int available = driver.ask(it -> Objects.requireNonNull(it.buffers()).available(it.ring()));
        if (!Errno.EINVAL.is(available)) { // the kernel may be too old to tell
            assertThat(available).as("buffers that the kernel has").isEqualTo(BUFFERS);
        }
    }
}
