package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Setup.Each
class LeaseTest extends NetworkTest {
    LeaseTest(Setup setup) {
        super(setup);
    }

    private static String text(Lease lease) {
        return StandardCharsets.UTF_8.decode(lease.bytes()).toString();
    }

    @Test
    void whatHasArrivedIsLentAndTheEndIsTold() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("hello");
            skein.blockOn(() -> {
                StringBuilder all = new StringBuilder();
                while (all.length() < 5) {
                    try (Lease lease = pair.stream().receive()) {
                        assertThat(lease.isEnd()).isFalse();
                        all.append(text(lease));
                    }
                }
                assertThat(all).hasToString("hello");
                pair.peer().shutdownOutput();
                for (int round = 0; round < 2; round++) {
                    try (Lease lease = pair.stream().receive()) {
                        assertThat(lease.isEnd()).isTrue();
                        assertThat(lease.bytes().hasRemaining()).isFalse();
                    }
                }
            });
        }
    }

    @Test
    void aLeaseThatIsClosedLendsNothing() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("x");
            Lease lease = skein.blockOn(() -> pair.stream().receive());
            lease.close();
            lease.close();
            assertThatIllegalStateException().isThrownBy(lease::bytes);
        }
    }

    @Test
    void severalLeasesMayBeOutAtOnce() throws Exception {
        try (PlainPair pair = plainPair()) {
            skein.blockOn(() -> {
                List<Lease> leases = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    pair.peerSends("letter " + (char) ('a' + i));
                    leases.add(pair.stream().receive());
                }
                for (int i = 0; i < 20; i++) {
                    try (Lease lease = leases.get(i)) {
                        assertThat(text(lease)).isEqualTo("letter " + (char) ('a' + i));
                    }
                }
            });
        }
    }

    @Test
    void aStreamMayBeReadAndLentFromByTurns() throws Exception {
        for (int first : new int[] {4, 100_000}) {
            try (PlainPair pair = plainPair()) {
                skein.blockOn(() -> {
                    pair.peerSends("head");
                    ByteBuffer target = ByteBuffer.allocateDirect(first);
                    pair.stream().read(target);
                    assertThat(target.flip()).isEqualTo(bytes("head"));
                    pair.peerSends("body");
                    try (Lease lease = pair.stream().receive()) {
                        assertThat(text(lease)).isEqualTo("body");
                    }
                    pair.peerSends("line\nrest");
                    assertThat(pair.stream().readUntil((byte) '\n', 100)).hasSize(5);
                    StringBuilder rest = new StringBuilder();
                    while (rest.length() < 4) {
                        try (Lease lease = pair.stream().receive()) {
                            rest.append(text(lease));
                        }
                    }
                    assertThat(rest).hasToString("rest");
                });
            }
        }
    }

    @Test
    void muchComesThroughInOrder() throws Exception {
        int total = 5_000_000;
        try (Pair pair = pair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                ByteBuffer source = ByteBuffer.allocateDirect(50_000);
                for (int sent = 0; sent < total; sent += source.capacity()) {
                    Pattern.fill(source.clear(), sent);
                    pair.client().write(source.flip());
                }
                pair.client().shutdownOutput();
            });
            skein.blockOn(() -> {
                long received = 0;
                while (true) {
                    try (Lease lease = pair.server().receive()) {
                        if (lease.isEnd()) {
                            break;
                        }
                        int count = lease.bytes().remaining();
                        Pattern.check(lease.bytes(), received);
                        received += count;
                    }
                }
                assertThat(received).isEqualTo(total);
            });
            writer.join();
        }
    }

    @Test
    void aReceiveTimesOutIsInterruptedAndIsEvicted() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.stream().readTimeout(Duration.ofMillis(5));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(pair.stream()::receive)
                    .withMessageContaining("timed out after 5 ms");
            pair.stream().readTimeout(null);
            pair.peerSends("x");
            try (Lease lease = pair.stream().receive()) {
                assertThat(text(lease)).isEqualTo("x");
            }
            Coroutine<?> interrupted = skein.spawn("interrupted", () -> {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(pair.stream()::receive)
                        .withMessageContaining("interrupted");
                assertThat(Thread.interrupted()).isTrue();
            });
            Await.untilWaiting(interrupted);
            interrupted.thread().interrupt();
            interrupted.join();
            Coroutine<?> evicted = skein.spawn("evicted", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(pair.stream()::receive)
                        .withMessageContaining("closed by another thread");
            });
            Await.untilWaiting(evicted);
            assertThatExceptionOfType(ReadPendingException.class).isThrownBy(pair.stream()::receive);
            pair.stream().close();
            evicted.join();
        }
    }
}
