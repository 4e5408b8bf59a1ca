package io.skein.internal.io;

import java.util.concurrent.Executor;

/**
 * Where a coroutine's operations go: to the driver of the worker that runs it.
 *
 * <p>Any thread may call it, but only one that it {@linkplain #serves serves} may start operations.
 */
public interface Submitter {
    /** Whether the caller is a coroutine of this runtime. */
    boolean serves();

    /** The way to a driver: of the worker that runs the caller, or of some worker when none does. */
    Lane lane();

    /** Threads for calls that block, which a driver's thread must not make. */
    Executor blocking();
}
