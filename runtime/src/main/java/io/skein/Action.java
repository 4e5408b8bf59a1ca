package io.skein;

/** The body of a coroutine that has no value. Unlike {@link Runnable} it may throw anything. */
@FunctionalInterface
public interface Action {
    void run() throws Exception;
}
