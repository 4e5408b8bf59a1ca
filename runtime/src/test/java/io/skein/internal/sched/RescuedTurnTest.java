package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The turns of a poller that wait at the one worker of its host: the JDK's scheduler runs them. */
@Mode.OneWorker
class RescuedTurnTest extends ModeTest {
    /** In the place of the poller's own; it lives longer than the test. */
    private final Thread thread = Thread.currentThread();

    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicBoolean rescued = new AtomicBoolean();

    private JdkPollers pollers;
    private Executor jdk;
    private JdkPollers.Poller poller;

    RescuedTurnTest(Mode mode) {
        super(mode);
    }

    /** Adds a poller that queues itself at the end of each turn, until one has run on no worker. */
    @BeforeEach
    void addPoller() throws ReflectiveOperationException {
        pollers = (JdkPollers) inside().findStaticVarHandle(JdkPollers.class, "ALL", JdkPollers.class)
                .get();
        jdk = (Executor) jdkHandle().get(pollers);
        poller = pollers.new Poller(thread, this::turn);
        known().put(thread, poller);
    }

    @AfterEach
    void removePoller() throws ReflectiveOperationException {
        jdkHandle().set(pollers, jdk);
        known().remove(thread);
    }

    private void turn() {
        if (Worker.current() == null) {
            rescued.set(true);
        } else {
            turns.incrementAndGet();
            poller.queue();
        }
    }

    /** The worker is held from so many turns on. The 64th that wakes nobody is the poller's last there, but it queues one more. */
    private void holdWorkerAfter(int turnsBefore) throws InterruptedException {
        skein.blockOn(() -> {
            poller.follow(Objects.requireNonNull(Scheduler.current()));
            poller.queue();
            while (turns.get() < turnsBefore && !rescued.get()) { // on a busy machine it may be rescued before
                Coroutine.yieldNow();
            }
            while (!rescued.get() && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        });
        assertThat(rescued).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64})
    void whereACoroutineHoldsTheWorker(int turnsBefore) throws Exception {
        holdWorkerAfter(turnsBefore);
    }

    @Test
    void afterTheJdksSchedulerHadNoMemoryToo() throws Exception {
        AtomicBoolean full = new AtomicBoolean(true);
        Executor fullOnce = turn -> {
            if (turn == poller && full.getAndSet(false)) {
                throw new OutOfMemoryError("on purpose");
            }
            jdk.execute(turn);
        };
        jdkHandle().set(pollers, fullOnce);

        holdWorkerAfter(1);

        assertThat(full).isFalse();
    }

    private static VarHandle jdkHandle() throws ReflectiveOperationException {
        return inside().findVarHandle(JdkPollers.class, "jdk", Executor.class);
    }

    @SuppressWarnings("unchecked")
    private Map<Thread, JdkPollers.Poller> known() throws ReflectiveOperationException {
        return (Map<Thread, JdkPollers.Poller>)
                inside().findVarHandle(JdkPollers.class, "pollers", Map.class).get(pollers);
    }

    private static MethodHandles.Lookup inside() throws ReflectiveOperationException {
        return MethodHandles.privateLookupIn(JdkPollers.class, MethodHandles.lookup());
    }
}
