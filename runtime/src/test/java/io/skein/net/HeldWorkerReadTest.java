package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.LeakCheck;
import io.skein.Skein;
import io.skein.sched.CapturedLog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A coroutine that was found to hold its worker while it waited for something else: a later read of its own gives way to others. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class HeldWorkerReadTest {
    private static volatile CountDownLatch latch = new CountDownLatch(1);

    /** Whoever uses it first waits for the latch, and cannot give way meanwhile. */
    private static final class UringInitialiser {
        static final boolean DONE = awaitLatch();
    }

    private static final class NioInitialiser {
        static final boolean DONE = awaitLatch();
    }

    private static boolean awaitLatch() {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts", e);
        }
        return true;
    }

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void anIdleReadAfterAPinnedWaitLeavesTheWorkerToOthers(DriverKind driver) throws Exception {
        latch = new CountDownLatch(1);
        try (CapturedLog log = new CapturedLog();
                Skein skein = Skein.builder()
                        .driver(driver)
                        .workers(1)
                        .watchdog(Duration.ofMillis(20))
                        .start();
                TcpListener listener =
                        TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TcpStream server = listener.accept()) {
            Coroutine<Integer> reader = skein.spawn("reader", () -> {
                assertThat(driver == DriverKind.URING ? UringInitialiser.DONE : NioInitialiser.DONE)
                        .isTrue();
                LockSupport.unpark(Thread.currentThread()); // as a sleep may leave it
                return server.read(ByteBuffer.allocate(10));
            });
            Await.until(
                    "the watchdog has found it", () -> !log.linesWith("reader").isEmpty());
            latch.countDown();
            Await.untilWaiting(reader);

            String other = skein.spawn("other", () -> {
                        Thread.sleep(1);
                        return "ran";
                    })
                    .get(20, TimeUnit.SECONDS);

            assertThat(other).isEqualTo("ran");
            assertThat(reader.isDone()).isFalse();
            client.write(ByteBuffer.wrap(new byte[3]));
            assertThat(reader.join()).isEqualTo(3);
        }
    }
}
