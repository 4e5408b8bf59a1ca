package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Skein;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A mutex with a shared and an exclusive side: nobody is starved on either. */
@Mode.Each
class SharedMutexTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final SharedMutex mutex = new SharedMutex();

    SharedMutexTest(Mode mode) {
        super(mode);
    }

    private Running<Void> waiting(ThreadKind kind, Waitable.Step step) {
        Running<Void> running = kind.start(skein, () -> {
            step.take();
            return null;
        });
        running.awaitWaiting();
        return running;
    }

    private static void done(ThreadKind kind, Skein skein, Waitable.Step step) throws Exception {
        kind.call(skein, () -> {
            step.take();
            return null;
        });
    }

    @ParameterizedTest
    @EnumSource
    void manyShareIt(ThreadKind kind) throws Exception {
        mutex.lockShared();
        assertThat(kind.call(skein, () -> mutex.tryLockShared())).isTrue();
        assertThat(kind.call(skein, () -> mutex.tryLockExclusive())).isFalse();
        assertThat(mutex).hasToString("SharedMutex[shared by 2]");
        mutex.unlockShared();
        assertThat(kind.call(skein, () -> mutex.tryLockExclusive())).isFalse();
        mutex.unlockShared();
        assertThat(mutex.tryLockExclusive()).isTrue();
        mutex.unlockExclusive();
    }

    @ParameterizedTest
    @EnumSource
    void oneHasItExclusively(ThreadKind kind) throws Exception {
        mutex.lockExclusive();
        assertThat(mutex.isHeldExclusivelyByCurrentThread()).isTrue();
        assertThat(kind.call(skein, mutex::isHeldExclusivelyByCurrentThread)).isFalse();
        assertThat(kind.call(skein, () -> mutex.tryLockShared())).isFalse();
        assertThat(kind.call(skein, () -> mutex.tryLockExclusive())).isFalse();
        assertThat(kind.call(skein, () -> mutex.tryLockShared(SHORT))).isFalse();
        assertThat(kind.call(skein, () -> mutex.tryLockExclusive(SHORT))).isFalse();
        mutex.unlockExclusive();
        done(kind, skein, () -> mutex.withShared(() -> {}));
    }

    @ParameterizedTest
    @EnumSource
    void aWriterIsNotStarvedByReadersWhoKeepComing(ThreadKind kind) throws Exception {
        mutex.lockShared();
        Running<Void> writer = waiting(kind, () -> mutex.withExclusive(() -> {}));

        assertThat(mutex.tryLockShared()).as("past the writer").isFalse();
        assertThat(mutex.tryLockShared(SHORT)).isFalse();
        mutex.unlockShared();

        writer.get();
    }

    @ParameterizedTest
    @EnumSource
    void readersAreNotStarvedByWritersWhoKeepComing(ThreadKind kind) throws Exception {
        mutex.lockExclusive();
        Running<Void> reader = waiting(kind, mutex::lockShared);
        Running<Void> writer = waiting(kind, () -> mutex.withExclusive(() -> {}));

        mutex.unlockExclusive();
        reader.get();
        assertThat(writer.outcome().isDone()).isFalse();
        mutex.unlockShared();

        writer.get();
    }

    @ParameterizedTest
    @EnumSource
    void neighboursInLineShareIt(ThreadKind kind) throws Exception {
        mutex.lockExclusive();
        List<Running<Void>> readers = List.of(
                waiting(kind, mutex::lockShared), waiting(kind, mutex::lockShared), waiting(kind, mutex::lockShared));

        mutex.unlockExclusive();

        for (Running<Void> each : readers) {
            each.get();
        }
        assertThat(mutex).hasToString("SharedMutex[shared by 3]");
    }

    @ParameterizedTest
    @EnumSource
    void aWriterThatGivesUpLetsTheReadersBehindItIn(ThreadKind kind) throws Exception {
        mutex.lockShared();
        Running<String> writer = kind.start(skein, () -> {
            try {
                mutex.lockExclusive();
                return "in";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        });
        writer.awaitWaiting();
        Running<Void> reader = waiting(kind, mutex::lockShared);

        writer.thread().interrupt();

        assertThat(writer.get()).isEqualTo("interrupted");
        reader.get();
        assertThat(mutex).hasToString("SharedMutex[shared by 2]");
        assertThat(mutex.isDeserted()).isTrue();
    }

    @Test
    void itsExclusiveHolderIsToldThatItIsNotReentrant() throws Exception {
        mutex.lockExclusive();
        for (Waitable.Step again : List.<Waitable.Step>of(
                mutex::lockExclusive,
                mutex::lockShared,
                () -> mutex.tryLockExclusive(SHORT),
                () -> mutex.tryLockShared(SHORT))) {
            assertThatThrownBy(again::take)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not reentrant");
        }
        assertThat(mutex.tryLockExclusive()).isFalse();
        assertThat(mutex.tryLockShared()).isFalse();
        mutex.unlockExclusive();
        assertThat(mutex).hasToString("SharedMutex[unlocked]");
    }

    @ParameterizedTest
    @EnumSource
    void onlyItsHolderUnlocksTheExclusiveSide(ThreadKind kind) throws Exception {
        mutex.lockExclusive();
        assertThatThrownBy(() -> done(kind, skein, mutex::unlockExclusive))
                .hasRootCauseInstanceOf(IllegalMonitorStateException.class)
                .hasStackTraceContaining(
                        "held exclusively by " + Thread.currentThread().getName());
        assertThatThrownBy(mutex::unlockShared).isInstanceOf(IllegalMonitorStateException.class);
        mutex.unlockExclusive();
        assertThatThrownBy(mutex::unlockExclusive).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(mutex::unlockShared).isInstanceOf(IllegalMonitorStateException.class);
        mutex.lockShared();
        assertThatThrownBy(mutex::unlockExclusive)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("shared by 1");
    }

    @Test
    void bothSidesAreGivenBackAfterAFailure() throws Exception {
        assertThat(mutex.withShared(() -> 1) + mutex.withExclusive(() -> 2)).isEqualTo(3);
        assertThatThrownBy(() -> mutex.withShared(SharedMutexTest::fail)).hasMessage("broken");
        assertThatThrownBy(() -> mutex.withExclusive(SharedMutexTest::fail)).hasMessage("broken");
        assertThat(mutex).hasToString("SharedMutex[unlocked]");
    }

    private static void fail() throws IOException {
        throw new IOException("broken");
    }
}
