package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cancel at any moment around a shielded section: never in it, and never lost. */
@Mode.Each
class ShieldedRaceTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(250);
    private static final Duration LONG = Duration.ofSeconds(10);

    /** What shields a thread from being cancelled: a coroutine, or a broken twin. */
    private interface Shield {
        void cancel();

        void run(Action section) throws Exception;
    }

    private record RealShield(Coroutine<?> coroutine) implements Shield {
        @Override
        public void cancel() {
            coroutine.cancel(true);
        }

        @Override
        public void run(Action section) throws Exception {
            Coroutine.shielded(section);
        }
    }

    /** Looks whether there is a section and interrupts in two steps, so that the interrupt may land in a section. */
    private static class InterruptsLate implements Shield {
        final Thread thread;
        volatile boolean shielded;
        volatile boolean requested;

        InterruptsLate(Coroutine<?> coroutine) {
            thread = coroutine.thread();
        }

        @Override
        public void cancel() {
            requested = true;
            if (!shielded) {
                Collision.openWindow();
                thread.interrupt();
            }
        }

        @Override
        public void run(Action section) throws Exception {
            shielded = true;
            boolean interrupted = Thread.interrupted();
            Collision.openWindow();
            section.run();
            shielded = false;
            if (requested || interrupted) {
                thread.interrupt();
            }
        }
    }

    /**
     * Notes that an interrupt is owed in two steps, so that the section may end in between. Each waits a little for
     * the other before the first step, and the second is late, so that the two meet on one processor too.
     */
    private static final class OwesTooLate extends InterruptsLate {
        private static final long LITTLE_NANOS = 100_000;
        private static final long LATE_NANOS = 20_000_000;

        private volatile boolean looked;

        OwesTooLate(Coroutine<?> coroutine) {
            super(coroutine);
        }

        @Override
        public void cancel() {
            awaitLittle(() -> shielded);
            boolean inSection = shielded;
            looked = true;
            if (inSection) {
                LockSupport.parkNanos(LATE_NANOS);
                requested = true;
            } else {
                thread.interrupt();
            }
        }

        @Override
        public void run(Action section) throws Exception {
            super.run(() -> {
                awaitLittle(() -> looked);
                section.run();
            });
        }

        private static void awaitLittle(BooleanSupplier condition) {
            for (int i = 0; i < 100 && !condition.getAsBoolean(); i++) {
                LockSupport.parkNanos(LITTLE_NANOS);
            }
        }
    }

    ShieldedRaceTest(Mode mode) {
        super(mode);
    }

    @Test
    void aCancelIsNeverDeliveredInASectionAndNeverLost() throws Exception {
        cancelAgainstSections(RealShield::new, SHORT);
    }

    @Test
    @Tag("long")
    void aCancelIsNeverDeliveredInASectionAndNeverLostForLong() throws Exception {
        cancelAgainstSections(RealShield::new, LONG);
    }

    @Test
    void aShieldThatIsPiercedIsCaught() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> cancelAgainstSections(InterruptsLate::new, LONG));
    }

    @Test
    void aShieldThatLosesTheCancelIsCaught() {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> cancelAgainstSections(OwesTooLate::new, LONG));
    }

    private void cancelAgainstSections(Function<Coroutine<?>, Shield> maker, Duration length) throws Exception {
        Collision.repeat(length, _ -> {
            Collision collision = new Collision(2);
            AtomicBoolean cancelled = new AtomicBoolean();
            Coroutine<String> coroutine = skein.spawn(() -> {
                Shield shield = maker.apply(Coroutine.current());
                Thread canceller = Thread.ofPlatform().start(() -> {
                    collision.meet();
                    shield.cancel();
                    cancelled.set(true);
                });
                collision.meet();
                boolean pierced = false;
                for (int i = 0; i < 3; i++) {
                    boolean[] seen = {false};
                    shield.run(() -> {
                        for (int step = 0; step < 20; step++) {
                            seen[0] |= Thread.currentThread().isInterrupted();
                            Thread.onSpinWait();
                        }
                    });
                    pierced |= seen[0];
                }
                while (!cancelled.get()) {
                    Thread.onSpinWait();
                }
                boolean delivered = Thread.interrupted();
                canceller.join();
                return pierced ? "pierced" : delivered ? "delivered" : "lost";
            });

            assertThat(coroutine.join()).isEqualTo("delivered");
        });
    }
}
