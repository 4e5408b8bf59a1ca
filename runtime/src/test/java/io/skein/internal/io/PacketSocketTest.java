package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.util.List;
import org.junit.jupiter.api.Test;

@Setup.Each
class PacketSocketTest extends RuntimeTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    PacketSocketTest(Setup setup) {
        super(setup);
    }

    private PacketSocket bind(InetSocketAddress address) throws IOException {
        Scheduler scheduler = SchedulerAccess.of(skein);
        return scheduler.backend().bindPackets(scheduler, address);
    }

    /** Two sockets and what they do, in a coroutine. */
    @FunctionalInterface
    private interface Exchange {
        void between(PacketSocket here, PacketSocket there) throws Exception;
    }

    private void exchange(Exchange exchange) throws InterruptedException {
        skein.blockOn(() -> {
            PacketSocket here = bind(LOOPBACK);
            PacketSocket there = bind(LOOPBACK);
            try {
                exchange.between(here, there);
            } finally {
                here.close();
                there.close();
            }
        });
    }

    @Test
    void aDatagramArrivesWholeWithItsSender() throws Exception {
        exchange((here, there) -> {
            for (ByteBuffer target : FileTest.buffers(20)) {
                for (ByteBuffer source : List.of(FileTest.bytes("hello"), FileTest.directBytes("hello"))) {
                    here.send(source.asReadOnlyBuffer(), there.localAddress());
                    target.clear().position(3);

                    assertThat(there.receive(target)).isEqualTo(here.localAddress());

                    assertThat(target.position()).isEqualTo(8);
                    assertThat(FileTest.text(target)).isEqualTo("\0\0\0hello");
                }
            }
        });
    }

    @Test
    void whatIsSentIsConsumed() throws Exception {
        exchange((here, there) -> {
            ByteBuffer source = FileTest.bytes("..hello..").position(2).limit(7);
            here.send(source, there.localAddress());
            ByteBuffer target = ByteBuffer.allocate(20);
            there.receive(target);

            assertThat(source.position()).isEqualTo(7);
            assertThat(FileTest.text(target)).isEqualTo("hello");
        });
    }

    @Test
    void whatHasNoRoomIsLost() throws Exception {
        exchange((here, there) -> {
            here.send(FileTest.bytes("hello world"), there.localAddress());
            here.send(FileTest.bytes("next"), there.localAddress());
            for (String expected : new String[] {"hello", "next"}) {
                ByteBuffer target = ByteBuffer.allocate(5);
                there.receive(target);
                assertThat(FileTest.text(target)).isEqualTo(expected);
            }
        });
    }

    @Test
    void anEmptyDatagramIsOne() throws Exception {
        exchange((here, there) -> {
            here.send(ByteBuffer.allocate(0), there.localAddress());
            ByteBuffer target = ByteBuffer.allocate(5);

            assertThat(there.receive(target)).isEqualTo(here.localAddress());
            assertThat(target.position()).isZero();
        });
    }

    @Test
    void aDatagramTooLongFails() throws Exception {
        exchange((here, there) -> {
            for (ByteBuffer source : FileTest.buffers(70_000)) {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> here.send(source, there.localAddress()))
                        .withMessageContaining("message too long");
                assertThat(source.position()).isZero();
            }
        });
    }

    @Test
    void aThousandQuestionsAreAnswered() throws Exception {
        exchange((here, there) -> {
            Coroutine<?> answering = skein.spawn("answering", () -> {
                ByteBuffer bytes = ByteBuffer.allocateDirect(100);
                for (int i = 0; i < 1000; i++) {
                    InetSocketAddress asking = there.receive(bytes.clear());
                    there.send(bytes.flip(), asking);
                }
            });
            ByteBuffer target = ByteBuffer.allocate(100);
            for (int i = 0; i < 1000; i++) {
                here.send(FileTest.bytes("question " + i), there.localAddress());
                here.receive(target.clear());
                assertThat(FileTest.text(target)).isEqualTo("question " + i);
            }
            answering.join();
        });
    }

    @Test
    void anInterruptedReceiverThrowsAndTheNextReceives() throws Exception {
        exchange((here, there) -> {
            Coroutine<?> receiver = skein.spawn("receiver", () -> {
                assertThatExceptionOfType(InterruptedIOException.class)
                        .isThrownBy(() -> there.receive(ByteBuffer.allocate(5)));
                assertThat(Thread.interrupted()).isTrue();
            });
            Await.untilWaiting(receiver);
            receiver.thread().interrupt();
            receiver.join();

            here.send(FileTest.bytes("hello"), there.localAddress());
            ByteBuffer target = ByteBuffer.allocate(5);
            there.receive(target);
            assertThat(FileTest.text(target)).isEqualTo("hello");
        });
    }

    @Test
    void aReceiverIsWokenByWhoCloses() throws Exception {
        exchange((here, there) -> {
            Coroutine<?> receiver = skein.spawn("receiver", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> there.receive(ByteBuffer.allocate(5)))
                        .withMessageContaining("closed by another thread");
            });
            Await.untilWaiting(receiver);

            there.close();

            receiver.join();
        });
    }

    @Test
    void oneReceivesAtATime() throws Exception {
        exchange((here, there) -> {
            Coroutine<?> receiver = skein.spawn("receiver", () -> there.receive(ByteBuffer.allocate(5)));
            Await.untilWaiting(receiver);

            assertThatExceptionOfType(ReadPendingException.class)
                    .isThrownBy(() -> there.receive(ByteBuffer.allocate(5)));

            here.send(FileTest.bytes("hello"), there.localAddress());
            receiver.join();
        });
    }

    @Test
    void anAddressInUseIsNotBound() throws Exception {
        exchange((here, there) -> assertThatExceptionOfType(BindException.class)
                .isThrownBy(() -> bind(there.localAddress()))
                .withMessageContaining(
                        "bind 127.0.0.1:" + there.localAddress().getPort() + ": address already in use"));
    }

    @Test
    void aClosedSocketRefusesEverything() throws Exception {
        exchange((here, there) -> {
            there.close();
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> there.receive(ByteBuffer.allocate(1)))
                    .withMessageContaining("closed");
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> there.send(ByteBuffer.allocate(1), here.localAddress()))
                    .withMessageContaining("closed");
        });
    }
}
