package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.BrokenAwait.Flaw;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Resume against suspend, resume against resume, and resume against interrupt: exactly one ends the wait. */
@Mode.Each
class AwaiterRaceTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(250);
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** How long a twin whose wake-up was lost is waited for. */
    private static final Duration IMPATIENCE = Duration.ofSeconds(1);

    /** A way to await. */
    private interface Awaiting {
        String await(Awaiter<String> awaiter) throws InterruptedException;
    }

    /** Gives its resumer away as soon as it has one. */
    private static class Exposed implements Awaiter<String> {
        private final AtomicReference<@Nullable Resumer> resumer = new AtomicReference<>();
        private int written;

        @Override
        public boolean suspend(Resumer given) {
            resumer.set(given);
            Collision.takeSomeSteps();
            return true;
        }

        @Override
        public String resume() {
            return "resumed " + written;
        }

        Resumer awaitResumer() {
            while (true) {
                Resumer given = resumer.get();
                if (given != null) {
                    Collision.takeSomeSteps();
                    return given;
                }
                Thread.onSpinWait();
            }
        }
    }

    AwaiterRaceTest(Mode mode) {
        super(mode);
    }

    @Test
    void noResumeIsLostHoweverEarlyItComes() throws Exception {
        resumeAgainstSuspend(Awaiter::await, SHORT, PATIENCE);
    }

    @Test
    @Tag("long")
    void noResumeIsLostHoweverEarlyItComesForLong() throws Exception {
        resumeAgainstSuspend(Awaiter::await, LONG, PATIENCE);
    }

    @Test
    void anAwaitThatForgetsEarlyResumesIsCaught() {
        Awaiting broken = awaiter -> BrokenAwait.await(awaiter, Flaw.EARLY_RESUME_IS_LOST);

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> resumeAgainstSuspend(broken, LONG, IMPATIENCE));
    }

    private void resumeAgainstSuspend(Awaiting awaiting, Duration length, Duration patience) throws Exception {
        Collision.repeat(length, round -> {
            Exposed awaiter = new Exposed();
            Coroutine<String> waiter = skein.spawn(() -> awaiting.await(awaiter));

            Resumer resumer = awaiter.awaitResumer();
            awaiter.written = round; // plain: the resume is what makes it seen
            assertThat(resumer.resume()).isTrue();

            assertThat(valueOf(waiter, patience)).isEqualTo("resumed " + round);
            assertThat(resumer.resume()).isFalse();
        });
    }

    @Test
    void oneOfManyResumesEndsTheWait() throws Exception {
        resumeAgainstResume(Awaiter::await, SHORT, PATIENCE);
    }

    @Test
    @Tag("long")
    void oneOfManyResumesEndsTheWaitForLong() throws Exception {
        resumeAgainstResume(Awaiter::await, LONG, PATIENCE);
    }

    @Test
    void aResumeWithoutCompareAndSetIsCaught() {
        Awaiting broken = awaiter -> BrokenAwait.await(awaiter, Flaw.RESUME_WITHOUT_COMPARE_AND_SET);

        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> resumeAgainstResume(broken, LONG, IMPATIENCE));
    }

    private void resumeAgainstResume(Awaiting awaiting, Duration length, Duration patience) throws Exception {
        Collision.repeat(length, _ -> {
            Exposed awaiter = new Exposed();
            Collision collision = new Collision(2);
            Coroutine<String> waiter = skein.spawn(() -> awaiting.await(awaiter));
            ThreadKind.Running<Boolean> rival = ThreadKind.PLATFORM.start(skein, () -> {
                Resumer resumer = awaiter.awaitResumer();
                collision.meet();
                return resumer.resume();
            });

            Resumer resumer = awaiter.awaitResumer();
            collision.meet();
            boolean here = resumer.resume();

            assertThat(here ^ rival.get())
                    .as("exactly one resume ended the wait")
                    .isTrue();
            assertThat(valueOf(waiter, patience)).isEqualTo("resumed 0");
        });
    }

    @Test
    void aResumeAndAnInterruptAgreeOnWhoEndedTheWait() throws Exception {
        resumeAgainstInterrupt(Awaiter::await, SHORT, PATIENCE);
    }

    @Test
    @Tag("long")
    void aResumeAndAnInterruptAgreeOnWhoEndedTheWaitForLong() throws Exception {
        resumeAgainstInterrupt(Awaiter::await, LONG, PATIENCE);
    }

    @Test
    void aWithdrawalWithoutCompareAndSetIsCaught() {
        Awaiting broken = awaiter -> BrokenAwait.await(awaiter, Flaw.WITHDRAWAL_WITHOUT_COMPARE_AND_SET);

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> resumeAgainstInterrupt(broken, LONG, IMPATIENCE));
    }

    private void resumeAgainstInterrupt(Awaiting awaiting, Duration length, Duration patience) throws Exception {
        Collision.repeat(length, _ -> {
            Exposed awaiter = new Exposed();
            Collision collision = new Collision(2);
            Coroutine<String> waiter = skein.spawn(() -> {
                try {
                    return awaiting.await(awaiter);
                } catch (InterruptedException e) {
                    return "interrupted";
                }
            });
            Resumer resumer = awaiter.awaitResumer();
            Thread shooter = Thread.ofPlatform().start(() -> {
                collision.meet();
                waiter.thread().interrupt();
            });
            collision.meet();
            boolean ended = resumer.resume();

            String value = valueOf(waiter, patience);
            shooter.join();
            assertThat(value).isEqualTo(ended ? "resumed 0" : "interrupted");
        });
    }

    @Test
    void anAwaiterThatOwesAnAnswerAlwaysGivesIt() throws Exception {
        Collision.repeat(SHORT, _ -> {
            Exposed awaiter = new Exposed() {
                @Override
                public boolean cancel() {
                    return false;
                }
            };
            Coroutine<String> waiter = skein.spawn(() -> {
                String value = awaiter.await();
                Thread.interrupted();
                return value;
            });
            Resumer resumer = awaiter.awaitResumer();
            Thread shooter = Thread.ofPlatform().start(() -> waiter.thread().interrupt());
            Collision.takeSomeSteps();

            assertThat(resumer.resume()).isTrue();

            assertThat(valueOf(waiter, PATIENCE)).isEqualTo("resumed 0");
            shooter.join();
        });
    }

    /** The value, or an assertion that fails after so much patience; the coroutine is then let go. */
    private static String valueOf(Coroutine<String> waiter, Duration patience) throws Exception {
        try {
            return waiter.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            waiter.cancel(true);
            throw new AssertionError("the wait did not end", e);
        }
    }
}
