package io.skein.internal.sched;

import io.skein.Skein;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets other packages of this module reach the scheduler inside a {@link Skein} without making it public.
 *
 * <p>Any thread may call it. {@code Skein} sets it when it is initialised, so whoever holds a {@code Skein} finds it.
 */
public final class SchedulerAccess {
    private static volatile @Nullable Function<Skein, Scheduler> access;

    private SchedulerAccess() {}

    public static void set(Function<Skein, Scheduler> accessor) {
        access = accessor;
    }

    public static Scheduler of(Skein skein) {
        Function<Skein, Scheduler> accessor = access;
        if (accessor == null) {
            throw new IllegalStateException("Skein is not initialised");
        }
        return accessor.apply(skein);
    }
}
