package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Collision;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events with and without a value: set until they are reset. */
@Mode.Each
class EventTest extends ModeTest {
    EventTest(Mode mode) {
        super(mode);
    }

    @Test
    void aSetEventLetsEverybodyThroughUntilItIsReset() throws Exception {
        Event event = new Event();
        assertThat(event.isSet()).isFalse();
        assertThat(event.await(Duration.ZERO)).isFalse();

        event.set();
        event.set();
        event.await();
        event.await();
        assertThat(event).hasToString("Event[set]");

        event.reset();
        event.reset();
        assertThat(event.await(Duration.ZERO)).isFalse();
        assertThat(event).hasToString("Event[not set]");
    }

    /** Something written before an event is set that is set already, and read after it was reset. */
    @Test
    void whatWasDoneBeforeASetIsSeenThoughTheEventWasSetAlready() throws Exception {
        int rounds = 200;
        int width = 256;
        Event[][] events = new Event[rounds][width];
        int[][][] written = new int[rounds][width][16]; // far from the events, so that a write takes its time
        int[][] read = new int[rounds][width];
        for (Event[] row : events) {
            Arrays.setAll(row, _ -> new Event());
            for (Event event : row) {
                event.set();
            }
        }
        Collision collision = new Collision(2);
        Running<Void> writer = ThreadKind.PLATFORM.start(skein, () -> {
            for (int round = 0; round < rounds; round++) {
                collision.meet();
                for (int i = 0; i < width; i++) {
                    written[round][i][0] = 1;
                    events[round][i].set();
                }
            }
            return null;
        });
        for (int round = 0; round < rounds; round++) {
            collision.meet();
            for (int i = 0; i < width; i++) {
                events[round][i].reset();
                read[round][i] = written[round][i][0];
            }
        }
        writer.get();

        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < width; i++) {
                assertThat(read[round][i] == 1 || events[round][i].isSet())
                        .as("what was written is read, or the event is set again")
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsAtTheTimeOfTheSetGoesOnThoughItIsResetAtOnce(ThreadKind kind) throws Exception {
        Event event = new Event();
        List<Running<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(kind.start(skein, () -> {
                event.await();
                return true;
            }));
        }
        waiting.forEach(Running::awaitWaiting);

        event.set();
        event.reset();

        for (Running<Boolean> each : waiting) {
            assertThat(each.get()).isTrue();
        }
        assertThat(event.isSet()).isFalse();
        assertThat(event.isDeserted()).isTrue();
    }

    @Test
    void aResetWhileSomebodyWaitsChangesNothing() throws Exception {
        Event event = new Event();
        Running<Boolean> waiting = ThreadKind.COROUTINE.start(skein, () -> event.await(Duration.ofMinutes(5)));
        waiting.awaitWaiting();

        event.reset();
        waiting.awaitWaiting();
        assertThat(waiting.outcome().isDone()).isFalse();
        event.set();

        assertThat(waiting.get()).isTrue();
    }

    @Test
    void theFirstValueCountsUntilTheReset() throws Exception {
        ValueEvent<String> event = new ValueEvent<>();
        assertThat(event).hasToString("ValueEvent[not set]");

        assertThat(event.set("one")).isTrue();
        assertThat(event.set("two")).isFalse();
        assertThat(event.await()).isEqualTo("one");
        assertThat(event.await(Duration.ZERO)).isEqualTo("one");
        assertThat(event).hasToString("ValueEvent[set to one]");

        event.reset();
        assertThat(event.isSet()).isFalse();
        assertThat(event.set("three")).isTrue();
        assertThat(event.await()).isEqualTo("three");
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsGetsTheValueOfTheSetThoughAnotherFollows(ThreadKind kind) throws Exception {
        ValueEvent<String> event = new ValueEvent<>();
        Running<String> waiting = kind.start(skein, () -> event.await());
        waiting.awaitWaiting();

        event.set("mine");
        event.reset();
        event.set("for others");

        assertThat(waiting.get()).isEqualTo("mine");
    }

    @Test
    void noValueIsAValueToo() throws Exception {
        ValueEvent<@Nullable String> event = new ValueEvent<>();
        Running<@Nullable String> waiting = ThreadKind.COROUTINE.start(skein, () -> event.await());
        waiting.awaitWaiting();

        event.set(null);

        assertThat(waiting.get()).isNull();
        assertThat(event.isSet()).isTrue();
        assertThat(event.await()).isNull();
    }

    @Test
    void aValueThatDoesNotComeInTimeIsATimeout() {
        ValueEvent<String> event = new ValueEvent<>();
        assertThatThrownBy(() -> event.await(Duration.ofMillis(1)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("1 ms");
        assertThat(event.isDeserted()).isTrue();
    }
}
