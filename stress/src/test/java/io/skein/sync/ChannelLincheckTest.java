package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** What of a channel never waits, under Lincheck's model checker, beside a broken twin. */
class ChannelLincheckTest {
    private static final boolean LONG = Boolean.getBoolean("skein.test.long");
    private static final int CAPACITY = 2;
    private static final int CLOSED = -1;

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(LONG ? 200 : 6)
                .invocationsPerIteration(LONG ? 10_000 : 150)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .minimizeFailedScenario(false)
                .sequentialSpecification(SequentialChannel.class);
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static class ChannelModel {
        private final Channel<Integer> channel = Channel.buffered(CAPACITY);

        @Operation
        public int send(@Param(name = "value") int value) {
            try {
                return channel.trySend(value) ? 1 : 0;
            } catch (ChannelClosedException e) {
                return CLOSED;
            }
        }

        @Operation
        public int receive() {
            try {
                Integer received = channel.tryReceive();
                return received == null ? 0 : received;
            } catch (ChannelClosedException e) {
                return CLOSED;
            }
        }

        @Operation
        public void close() {
            channel.close();
        }
    }

    /** Looks whether it is closed, and whether there is room, before it does what it does. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    @SuppressWarnings("NonAtomicVolatileUpdate") // that is what is broken
    public static class BrokenChannelModel {
        private final Channel<Integer> inside = Channel.unbounded();
        private volatile int size;
        private volatile boolean closed;

        @Operation
        public int send(@Param(name = "value") int value) {
            if (closed) {
                return CLOSED;
            }
            if (size == CAPACITY) {
                return 0;
            }
            size = size + 1;
            inside.trySend(value);
            return 1;
        }

        @Operation
        public int receive() {
            Integer received = inside.tryReceive();
            if (received == null) {
                return closed ? CLOSED : 0;
            }
            size = size - 1;
            return received;
        }

        @Operation
        public void close() {
            closed = true;
        }
    }

    /** What a channel is when one thread at a time uses it. */
    public static class SequentialChannel {
        private final ArrayDeque<Integer> values = new ArrayDeque<>();
        private boolean closed;

        public int send(int value) {
            if (closed) {
                return CLOSED;
            }
            if (values.size() == CAPACITY) {
                return 0;
            }
            values.add(value);
            return 1;
        }

        public int receive() {
            Integer first = values.poll();
            if (first == null) {
                return closed ? CLOSED : 0;
            }
            return first;
        }

        public void close() {
            closed = true;
        }
    }

    @Test
    void aBufferedChannelIsLinearizable() {
        options().check(ChannelModel.class);
    }

    @Test
    void aChannelThatLooksBeforeItActsIsCaught() {
        assertThatThrownBy(() -> options().check(BrokenChannelModel.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
