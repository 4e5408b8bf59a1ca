package io.skein.internal.sched;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * How a coroutine ended. Immutable.
 *
 * @param state how it ended; never {@code RUNNING}
 * @param value the value of a success
 * @param failure what the body threw, otherwise
 */
record Outcome(
        Future.State state,
        @Nullable Object value,
        @Nullable Throwable failure) {
    private static final Outcome NULL_VALUE = new Outcome(Future.State.SUCCESS, null, null);

    static Outcome value(@Nullable Object value) {
        return value == null ? NULL_VALUE : new Outcome(Future.State.SUCCESS, value, null);
    }

    static Outcome failure(Throwable failure) {
        return new Outcome(Future.State.FAILED, null, failure);
    }

    static Outcome cancelled(Throwable cause) {
        return new Outcome(Future.State.CANCELLED, null, cause);
    }
}
