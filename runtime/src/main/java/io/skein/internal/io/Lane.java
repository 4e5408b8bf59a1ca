package io.skein.internal.io;

/**
 * The way to one driver.
 *
 * <p>Any thread may call it. On the driver's own thread these are plain calls of the driver; from elsewhere the
 * request travels to that thread as a message, and messages keep their order.
 */
public interface Lane {
    void start(Operation operation);

    /** Cancels one run of an operation that was started here, and does nothing when that run is over. Takes no memory. */
    void cancel(Operation operation, int run);

    /**
     * Drives the driver from inside a coroutine, for one that cannot give way. Sleeps until something completes, or for a
     * moment. Off the driver's thread it only lets others run.
     */
    void driveInPlace();
}
