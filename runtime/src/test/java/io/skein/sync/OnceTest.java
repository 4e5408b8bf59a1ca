package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A value that is computed once, by whoever asks first. */
@Mode.Each
class OnceTest extends ModeTest {
    private final AtomicInteger runs = new AtomicInteger();
    private final Event mayEnd = new Event();

    OnceTest(Mode mode) {
        super(mode);
    }

    private Once<String> slow() {
        return Once.of(() -> {
            int run = runs.incrementAndGet();
            mayEnd.await();
            return "value of run " + run;
        });
    }

    @Test
    void nothingIsComputedBeforeSomebodyAsks() throws Exception {
        Once<String> once = slow();
        mayEnd.set();
        assertThat(once.isDone()).isFalse();
        assertThat(once).hasToString("Once[not computed]");

        assertThat(once.get()).isEqualTo("value of run 1");
        assertThat(once.get(Duration.ZERO)).isEqualTo("value of run 1");

        assertThat(once.isDone()).isTrue();
        assertThat(once).hasToString("Once[computed: value of run 1]");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void othersWaitForTheOneThatComputes(ThreadKind kind) throws Exception {
        Once<String> once = slow();
        List<Running<String>> asking = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            asking.add(kind.start(skein, () -> once.get()));
        }
        asking.forEach(Running::awaitWaiting);
        assertThatThrownBy(() -> once.get(Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);

        mayEnd.set();

        for (Running<String> each : asking) {
            assertThat(each.get()).isEqualTo("value of run 1");
        }
        assertThat(runs).hasValue(1);
        assertThat(once.isDeserted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whenTheOneThatComputesIsCancelledAnotherComputes(ThreadKind kind) throws Exception {
        Once<String> once = slow();
        Running<String> first = kind.start(skein, () -> {
            try {
                return once.get();
            } catch (InterruptedException e) {
                return "interrupted";
            }
        });
        first.awaitWaiting();
        Running<String> second = kind.start(skein, () -> once.get());
        second.awaitWaiting();

        first.thread().interrupt();
        assertThat(first.get()).isEqualTo("interrupted");
        mayEnd.set();

        assertThat(second.get()).isEqualTo("value of run 2");
        assertThat(once.get()).isEqualTo("value of run 2");
    }

    @Test
    void aFailureIsNotKept() throws Exception {
        Once<String> once = Once.of(() -> {
            return switch (runs.incrementAndGet()) {
                case 1 -> throw new IOException("no network");
                case 2 -> throw new IllegalStateException("no luck");
                case 3 -> throw new AssertionError("no way");
                default -> "value";
            };
        });

        assertThatThrownBy(once::get)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("no network");
        assertThatThrownBy(once::get).isInstanceOf(IllegalStateException.class).hasMessage("no luck");
        assertThatThrownBy(once::get).isInstanceOf(AssertionError.class).hasMessage("no way");
        assertThat(once.get()).isEqualTo("value");
        assertThat(once.get()).isEqualTo("value");
        assertThat(runs).hasValue(4);
    }

    @Test
    void aComputationThatAsksForItselfIsToldSo() {
        List<Once<String>> self = new ArrayList<>();
        self.add(Once.of(() -> self.getFirst().get()));

        assertThatThrownBy(() -> self.getFirst().get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("never end");
    }

    @Test
    void noValueIsAValueToo() throws Exception {
        Once<@Nullable String> once = Once.of(() -> {
            runs.incrementAndGet();
            return null;
        });
        assertThat(once.get()).isNull();
        assertThat(once.get()).isNull();
        assertThat(runs).hasValue(1);
    }

    @Test
    void theComputationIsDroppedWithTheValue() throws Exception {
        Object[] ballast = {new Object()};
        WeakReference<Object> dropped = new WeakReference<>(ballast[0]);
        Once<Integer> once = of(ballast[0]);
        ballast[0] = "";
        once.get();

        Await.until("collected", () -> {
            System.gc();
            return dropped.get() == null;
        });
        assertThat(once.isDone()).isTrue();
    }

    private static Once<Integer> of(Object held) {
        return Once.of(held::hashCode);
    }

    @Test
    void manyWhoAskAtOnceRunItOnce() throws Exception {
        Once<Integer> once = Once.of(() -> {
            Coroutine.yieldNow();
            return runs.incrementAndGet();
        });
        List<Running<Integer>> asking = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            asking.add(ThreadKind.inTurn(i).start(skein, () -> once.get()));
        }
        for (Running<Integer> each : asking) {
            assertThat(each.get()).isEqualTo(1);
        }
    }
}
