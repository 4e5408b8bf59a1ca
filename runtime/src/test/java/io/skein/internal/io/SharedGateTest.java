package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Await;
import java.lang.ref.WeakReference;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gate that many pass at once, and when the descriptor behind it is given back. */
@Timeout(30)
class SharedGateTest {
    private final OpenSockets openSockets = new OpenSockets();
    private final TestGate gate = new TestGate(openSockets);

    private static final class TestGate extends SharedGate {
        /** What happened, in order. */
        final List<String> events = new ArrayList<>();

        /** What those inside do when they are woken. */
        Runnable onEvict = () -> {};

        TestGate(OpenSockets openSockets) {
            super(openSockets);
            opened();
        }

        @Override
        protected void evict() {
            events.add("evict");
            onEvict.run();
            events.add("evicted");
        }

        @Override
        protected void release() {
            events.add("release");
        }
    }

    @Test
    void theLastOfManyToLeaveAfterACloseReleases() throws Exception {
        for (int i = 0; i < 1000; i++) {
            gate.enter("read");
        }
        gate.close();
        for (int i = 0; i < 999; i++) {
            gate.leave();
        }
        assertThat(gate.events).containsExactly("evict", "evicted");

        gate.leave();
        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @Test
    void whoComesAndGoesBeforeACloseReleasesNothing() throws Exception {
        gate.enter("read");
        gate.leave();

        assertThat(gate.events).isEmpty();
    }

    @Test
    void aCloseWithNobodyInsideWakesNobodyAndReleasesAtOnce() {
        gate.close();

        assertThat(gate.events).containsExactly("release");
    }

    @Test
    void nobodyComesInAfterAClose() throws Exception {
        gate.enter("read");
        gate.close();

        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> gate.enter("read"))
                .withMessageEndingWith("read: closed");
        gate.leave();

        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @Test
    void theDescriptorIsKeptUntilTheCloserHasWokenTheOthersThoughTheyHaveLeft() throws Exception {
        gate.enter("read");
        gate.onEvict = gate::leave;

        gate.close();

        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @Test
    void aSecondCloseDoesNothing() throws Exception {
        gate.enter("read");
        gate.onEvict = gate::close;
        gate.close();
        gate.close();
        gate.leave();
        gate.close();

        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @Test
    void aDescriptorIsGivenBackThoughWakingFails() throws Exception {
        gate.enter("read");
        gate.onEvict = () -> {
            gate.leave();
            throw new IllegalStateException("on purpose");
        };

        assertThatIllegalStateException().isThrownBy(gate::close);

        assertThat(gate.events).containsExactly("evict", "release");
    }

    @Test
    void aGateThatIsClosedIsNotRememberedAmongTheOpenOnes() {
        WeakReference<TestGate> closed = closed();

        Await.until("it is collected", () -> {
            System.gc();
            return closed.get() == null;
        });
    }

    private WeakReference<TestGate> closed() {
        TestGate other = new TestGate(openSockets);
        other.close();
        return new WeakReference<>(other);
    }
}
