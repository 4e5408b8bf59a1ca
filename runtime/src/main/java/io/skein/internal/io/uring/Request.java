package io.skein.internal.io.uring;

/**
 * What the kernel is asked for, as a ring sees it: an entry to fill, and the completions of it. Only the thread of the driver
 * that has it calls it. One that a thread waits for is a {@link UringOperation}; nobody waits for the others.
 */
interface Request {
    /** Where the ring finds this request, while it is in flight. */
    long userData();

    void userData(long userData);

    /** Fills the submission queue entry, all but its user data. */
    void fill(Sqe sqe);

    /**
     * Takes a completion.
     *
     * @param isLast whether the kernel is done with the request
     */
    void completed(UringDriver driver, int result, int flags, boolean isLast);
}
