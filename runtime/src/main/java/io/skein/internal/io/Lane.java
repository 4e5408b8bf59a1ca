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
     * Whether the calling coroutine was found to hold the driver's thread while it waited: then nobody else drives until it gives
     * way. True until it has.
     */
    boolean isHeldByCaller();

    /**
     * Parks the calling coroutine if it can give way to others, and returns when it is unparked. To be called by one that
     * {@linkplain #isHeldByCaller holds} the driver's thread.
     *
     * @return false at once if it cannot, because it is pinned or finds no memory
     * @throws OutOfMemoryError if it has found no memory for too long
     */
    boolean giveWay();

    /**
     * Drives the driver from inside a coroutine, for one that cannot give way. Sleeps until something completes, or for a
     * moment. Off the driver's thread it only lets others run.
     */
    void driveInPlace();
}
