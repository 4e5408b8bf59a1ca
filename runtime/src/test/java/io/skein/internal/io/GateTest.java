package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.skein.Await;
import java.lang.ref.WeakReference;
import java.net.SocketException;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may pass a gate, and when the descriptor behind it is given back. */
@Timeout(30)
class GateTest {
    private final OpenSockets openSockets = new OpenSockets();
    private final TestGate gate = new TestGate(openSockets);

    static final class TestGate extends Gate {
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

    /** A way to be inside. */
    enum Way {
        READ {
            @Override
            void enter(TestGate gate) throws SocketException {
                gate.enterRead("read", "peer");
            }

            @Override
            void leave(TestGate gate) {
                gate.leaveRead();
            }
        },
        WRITE {
            @Override
            void enter(TestGate gate) throws SocketException {
                gate.enterWrite("write", "peer");
            }

            @Override
            void leave(TestGate gate) {
                gate.leaveWrite();
            }
        },
        VISIT {
            @Override
            void enter(TestGate gate) throws SocketException {
                gate.enterBriefly("visit", "peer");
            }

            @Override
            void leave(TestGate gate) {
                gate.leaveBriefly();
            }
        };

        abstract void enter(TestGate gate) throws SocketException;

        abstract void leave(TestGate gate);
    }

    @Test
    void oneReaderAndOneWriterAreInsideAtATime() throws Exception {
        gate.enterRead("read", "peer");
        gate.enterWrite("write", "peer");

        assertThatExceptionOfType(ReadPendingException.class).isThrownBy(() -> gate.enterRead("read", "peer"));
        assertThatExceptionOfType(AcceptPendingException.class).isThrownBy(() -> gate.enterRead("accept", "peer"));
        assertThatExceptionOfType(WritePendingException.class).isThrownBy(() -> gate.enterWrite("write", "peer"));

        gate.leaveRead();
        gate.leaveWrite();
        assertThatNoException().isThrownBy(() -> gate.enterRead("read", "peer"));
        assertThatNoException().isThrownBy(() -> gate.enterWrite("write", "peer"));
    }

    @Test
    void anyNumberOfVisitorsAreInsideBesideReaderAndWriter() throws Exception {
        gate.enterRead("read", "peer");
        gate.enterWrite("write", "peer");
        for (int i = 0; i < 1000; i++) {
            gate.enterBriefly("visit", "peer");
        }
        gate.close();
        for (int i = 0; i < 1000; i++) {
            gate.leaveBriefly();
        }
        gate.leaveRead();
        assertThat(gate.events).containsExactly("evict", "evicted");

        gate.leaveWrite();
        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyComesInAfterAClose(Way way) {
        gate.close();

        assertThat(gate.isOpen()).isFalse();
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> way.enter(gate))
                .withMessageEndingWith("peer: closed");
        assertThat(gate.events).containsExactly("release");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyComesInWhileTheLastOneInsideHasNotLeft(Way way) throws Exception {
        gate.enterRead("read", "peer");
        gate.close();

        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> way.enter(gate));
        gate.leaveRead();

        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @Test
    void aCloseWithNobodyInsideWakesNobodyAndReleasesAtOnce() {
        gate.close();

        assertThat(gate.events).containsExactly("release");
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInsideAtACloseIsWokenAndReleasesWhenItLeaves(Way way) throws Exception {
        way.enter(gate);
        gate.close();
        assertThat(gate.events).containsExactly("evict", "evicted");

        way.leave(gate);
        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @ParameterizedTest
    @EnumSource
    void theDescriptorIsKeptUntilTheCloserHasWokenTheOthersThoughTheyHaveLeft(Way way) throws Exception {
        way.enter(gate);
        gate.onEvict = () -> way.leave(gate);

        gate.close();

        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @Test
    void aSecondCloseDoesNothing() throws Exception {
        gate.enterRead("read", "peer");
        gate.onEvict = gate::close;
        gate.close();
        gate.close();
        gate.leaveRead();
        gate.close();

        assertThat(gate.events).containsExactly("evict", "evicted", "release");
    }

    @Test
    void aDescriptorIsGivenBackThoughWakingFails() throws Exception {
        gate.enterRead("read", "peer");
        gate.onEvict = () -> {
            gate.leaveRead();
            throw new IllegalStateException("on purpose");
        };

        assertThatIllegalStateException().isThrownBy(gate::close);

        assertThat(gate.events).containsExactly("evict", "release");
    }

    @Test
    void whatIsLeftOpenIsClosedWithAllOthers() {
        openSockets.closeAll();

        assertThat(gate.events).containsExactly("release");
    }

    @ParameterizedTest
    @EnumSource
    void aGateThatIsClosedAndLeftIsNotRememberedAmongTheOpenOnes(Way way) throws Exception {
        WeakReference<TestGate> closed = closedAndLeft(way);

        Await.until("it is collected", () -> {
            System.gc();
            return closed.get() == null;
        });
    }

    private WeakReference<TestGate> closedAndLeft(Way way) throws SocketException {
        TestGate other = new TestGate(openSockets);
        way.enter(other);
        other.close();
        way.leave(other);
        return new WeakReference<>(other);
    }
}
