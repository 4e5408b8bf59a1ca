package io.skein;

/**
 * Ends one wait: what an {@link Awaiter} hands to whoever knows when to go on. Safe for use by any thread, at any time:
 * before, while or after the waiting thread goes to sleep, and after it has given up.
 */
@FunctionalInterface
public interface Resumer {
    /**
     * Lets the waiting thread go on. Only the first call does that; what the caller wrote before it is seen by the
     * thread that goes on.
     *
     * @return whether this call ended the wait; false if it had ended, or was given up, before
     */
    boolean resume();
}
