package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The way to the one driver that a stream's bytes come in by, and its small writes go out by: that of the worker which first
 * read or wrote. Any thread may call it.
 */
final class Home {
    private static final VarHandle LANE;

    static {
        try {
            LANE = MethodHandles.lookup().findVarHandle(Home.class, "lane", Lane.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Lane lane;

    /** The lane, or null when nobody has read or written yet. */
    @Nullable
    Lane lane() {
        return lane;
    }

    /** The lane, which is the caller's if there was none. */
    Lane settle(Submitter submitter) {
        Lane known = lane;
        if (known != null) {
            return known;
        }
        Lane here = submitter.lane();
        Lane first = (Lane) LANE.compareAndExchange(this, null, here);
        return first == null ? here : first;
    }
}
