package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations on sockets one by one, against the kernel. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class SocketOperationsTest {
    private LoneDriver driver;
    private SocketPair pair;
    private long memory;

    @BeforeEach
    void open() {
        driver = new LoneDriver(8, 32, 0);
        pair = SocketPair.open();
        memory = Libc.allocate(1 << 20);
    }

    @AfterEach
    void close() {
        Libc.close(pair.here());
        Libc.close(pair.there());
        driver.close();
        Libc.free(memory);
    }

    @Test
    void aPollTellsWhatADescriptorIsReadyFor() {
        assertThat(new Poll(pair.here(), Poll.IN | Poll.OUT).perform(driver)).isEqualTo(Poll.OUT);

        AnyOperation.send(pair.there(), memory, 1).perform(driver);

        assertThat(new Poll(pair.here(), Poll.IN | Poll.OUT).perform(driver)).isEqualTo(Poll.IN | Poll.OUT);
    }

    @Test
    void aPollWaitsUntilItsDescriptorIsReady() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Poll poll = new Poll(pair.here(), Poll.IN);
            Future<Integer> ready = threads.submit(() -> poll.perform(driver));
            Await.until("the poll is in flight", () -> driver.ask(poll::isInFlightOn));

            AnyOperation.send(pair.there(), memory, 1).perform(driver);

            assertThat(ready.get(30, TimeUnit.SECONDS)).isEqualTo(Poll.IN);
        }
    }

    @Test
    void aShutdownIsTheEndForThePeer() {
        assertThat(new Shutdown(pair.there(), Libc.SHUT_WR).perform(driver)).isZero();

        assertThat(AnyOperation.read(pair.here(), memory, 1).perform(driver)).isZero();
        assertThat(AnyOperation.send(pair.here(), memory, 1).perform(driver)).isEqualTo(1);
    }

    @Test
    void aShutdownOfWhatIsNoSocketFails() throws Exception {
        try (Pipe pipe = Pipe.open()) {
            assertThat(Errno.ENOTSOCK.is(new Shutdown(pipe.exit(), Libc.SHUT_WR).perform(driver)))
                    .isTrue();
        }
    }

    @Test
    void aSocketIsMadeThatCanBeConnected() throws Exception {
        LoneDriver.assumeSupported(Abi.IORING_OP_SOCKET);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            int type = Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC;
            int fd = new OpenSocket(Libc.AF_INET, type, Libc.IPPROTO_TCP).perform(driver);
            assertThat(fd).isNotNegative();
            Connect connect = new Connect(fd, (InetSocketAddress) server.getLocalSocketAddress());
            assertThat(connect.perform(driver)).isZero();
            connect.free();
            try (Socket accepted = server.accept()) {
                assertThat(AnyOperation.send(fd, memory, 1).perform(driver)).isEqualTo(1);
                assertThat(accepted.getInputStream().read()).isZero();
            }
            Close.close(driver, fd);
        }
    }

    @Test
    void aSocketOfAnUnknownKindIsNotMade() {
        assertThat(new OpenSocket(12345, Libc.SOCK_STREAM, 0).perform(driver)).isNegative();
    }

    @Test
    void aSendWithoutACopyEndsWhenTheKernelNoLongerNeedsTheBytes() throws Exception {
        LoneDriver.assumeSupported(Abi.IORING_OP_SEND_ZC);
        int length = 200_000;
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            int fd = Libc.socket(Libc.AF_INET, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0);
            Connect connect = new Connect(fd, (InetSocketAddress) server.getLocalSocketAddress());
            assertThat(connect.perform(driver)).isZero();
            connect.free();
            try (Socket accepted = server.accept();
                    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                SendZeroCopy send = new SendZeroCopy(fd);
                for (byte round = 1; round <= 5; round++) {
                    for (int i = 0; i < length; i++) {
                        Memory.plainByte(memory + i, round);
                    }
                    Future<Integer> sent =
                            threads.submit(() -> send.prepare(memory, length).perform(driver));
                    byte[] received = accepted.getInputStream().readNBytes(length);
                    assertThat(sent.get(30, TimeUnit.SECONDS)).isEqualTo(length);
                    assertThat(received).containsOnly(round);
                    assertThat(driver.ask(send::isInFlightOn)).isFalse();
                }
            }
            Close.close(driver, fd);
        }
    }

    @Test
    void aSendWithoutACopyThatFailsEndsAtOnce() {
        LoneDriver.assumeSupported(Abi.IORING_OP_SEND_ZC);
        int fd = Libc.socket(Libc.AF_INET, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0); // not connected
        int result = new SendZeroCopy(fd).prepare(memory, 10_000).perform(driver);

        assertThat(Errno.EPIPE.is(result) || Errno.ENOTCONN.is(result)).isTrue();
        Close.close(driver, fd);
    }
}
