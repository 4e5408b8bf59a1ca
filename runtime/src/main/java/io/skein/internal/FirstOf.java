package io.skein.internal;

import io.skein.internal.loom.Unparking;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a thread for the first of several to end it, which learns who that was; used once.
 *
 * <p>Whoever wants to end it writes itself down and then resumes. Only one is ever written down: it ended the wait, or the
 * waiter has given up. Everybody else is told no, and has not been heard.
 */
public abstract class FirstOf extends Suspension {
    private static final VarHandle FIRST;

    static {
        try {
            FIRST = MethodHandles.lookup().findVarHandle(FirstOf.class, "first", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Object first;

    /** Who ended the wait, if somebody did. */
    protected final @Nullable Object first() {
        return first;
    }

    /** As {@link #resume}, for one of several. */
    public final boolean resumeBy(Object ending) {
        Thread woken = settleBy(ending);
        if (woken == null) {
            return false;
        }
        if (woken != Thread.currentThread()) {
            Unparking.unpark(woken);
        }
        return true;
    }

    /** As {@link #settle}, for one of several. */
    protected final @Nullable Thread settleBy(Object ending) {
        return FIRST.compareAndSet(this, null, ending) ? settle() : null;
    }
}
