package io.skein.time;

import io.skein.Action;
import io.skein.internal.sched.TimeLimit;
import io.skein.internal.time.Durations;
import io.skein.internal.time.Sleep;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sleeping, limits on how long something may take, and ticks. Any thread may call it: a coroutine suspends, any other thread blocks.
 *
 * <p>Nothing happens early. How late it happens depends on how busy the coroutine's worker is. An idle worker rounds a time up by
 * less than 33 µs, and with the {@code nio} driver by up to a millisecond more. A coroutine's timers are kept by the worker that
 * runs it, so they cost it no other thread.
 */
public final class Time {
    private Time() {}

    // Sleeping.

    /**
     * Sleeps for a length of time, never shorter. Zero and less return at once.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile
     */
    public static void sleep(Duration duration) throws InterruptedException {
        Sleep.until(Timers.deadlineAfter(Objects.requireNonNull(duration, "duration")));
    }

    /**
     * Sleeps until a deadline is over.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile
     */
    public static void sleepUntil(Deadline deadline) throws InterruptedException {
        Sleep.until(deadline.nanoTime());
    }

    /**
     * Sleeps until the clock shows a time. A clock that is set back meanwhile makes it sleep longer; one that is set forward is not
     * noticed before the time that was left has passed.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile
     */
    public static void sleepUntil(Instant instant) throws InterruptedException {
        Objects.requireNonNull(instant, "instant");
        Duration left;
        do {
            left = Duration.between(Instant.now(), instant);
            sleep(left);
        } while (left.isPositive()); // once more, to see whether the clock was set back
    }

    // Limits.

    /**
     * Runs a body for at most a length of time. When that has passed, the body is interrupted; it has ended in any case when this
     * returns.
     *
     * <pre>{@code
     * Page page = Time.timeout(Duration.ofSeconds(2), () -> load(url));
     * }</pre>
     *
     * <p>The body runs on the calling thread, so that it is interrupted where it waits, and code that does not wait notices by
     * {@link Thread#isInterrupted}. A coroutine that holds its worker keeps the worker from its timers: then it is the watchdog
     * that interrupts it, up to its threshold later, or nobody until it gives way if the watchdog is switched off.
     *
     * <p>The interrupt is the limit's own: none is left when this returns, whether the time passes before, while or after the body
     * ends. An interrupt that somebody else made meanwhile, and a {@link io.skein.Coroutine#cancel cancellation} above all,
     * is kept: it ends the body as it would without a limit, or stands in the interrupt status on return. Limits may be nested.
     * The exception tells of the one that has passed, and of the outer one if both have. The interrupt reaches a
     * {@link io.skein.Coroutine#shielded shielded} section that runs when the time passes; one that begins after that
     * puts it off to its own end, as it does with every interrupt that was there before.
     *
     * @param limit zero and less have passed before the body begins
     * @return what the body returned; also if it did so after it was interrupted, for then it has been done
     * @throws TimeoutException if the time had passed, and the body did not begin; or if it was interrupted and then ended by
     *     an exception, which is the cause: whatever that is, since libraries turn interrupts into exceptions of their
     *     own
     * @throws Exception what the body threw otherwise; also an {@link Error} after the interrupt, unless it tells of an
     *     interrupt by a cause
     */
    public static <T extends @Nullable Object> T timeout(Duration limit, Callable<T> body) throws Exception {
        Objects.requireNonNull(body, "body");
        long deadlineNanos = Timers.deadlineAfter(Objects.requireNonNull(limit, "limit"));
        return TimeLimit.call(deadlineNanos, () -> "not done within " + Durations.text(limit), body);
    }

    /** As {@link #timeout(Duration, Callable)}, for a body without a value. */
    public static void timeout(Duration limit, Action body) throws Exception {
        timeout(limit, asCallable(body));
    }

    /** As {@link #timeout(Duration, Callable)}, until a deadline is over. */
    public static <T extends @Nullable Object> T timeout(Deadline deadline, Callable<T> body) throws Exception {
        Objects.requireNonNull(body, "body");
        Duration left = deadline.remaining();
        return TimeLimit.call(
                deadline.nanoTime(),
                () -> left.isZero()
                        ? "not begun before its deadline"
                        : "not done before its deadline, which left " + Durations.text(left),
                body);
    }

    /** As {@link #timeout(Deadline, Callable)}, for a body without a value. */
    public static void timeout(Deadline deadline, Action body) throws Exception {
        timeout(deadline, asCallable(body));
    }

    private static Callable<@Nullable Void> asCallable(Action body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            body.run();
            return null;
        };
    }

    // Ticks.

    /** Ticks at equal distances; missed ones come in a {@link MissedTicks#BURST}. */
    public static Interval interval(Duration period) {
        return interval(period, MissedTicks.BURST);
    }

    /**
     * Ticks at equal distances.
     *
     * @param period more than zero
     * @param missed what becomes of ticks that nobody waited for in time
     */
    public static Interval interval(Duration period, MissedTicks missed) {
        if (!period.isPositive()) {
            throw new IllegalArgumentException("period " + Durations.text(period) + ": it must be more than zero");
        }
        return new Interval(Timers.nanos(period), Objects.requireNonNull(missed, "missed"));
    }
}
