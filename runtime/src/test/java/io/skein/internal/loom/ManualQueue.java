package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;

/**
 * An executor of virtual threads that runs them when it is told to, on the caller's thread, which has to be a platform thread. Any
 * thread may queue.
 */
final class ManualQueue implements Executor, Unparking.ParkedQueue {
    /** For {@code @BeforeAll}: skips where there are no flags, and fails where a JDK that is given them is not known. */
    static void needFlags() {
        assumeTrue(Loom.available(), "virtual threads on an executor of our own need flags");
        assertThat(Unparking.prepare())
                .as("whether this JDK's threads are known")
                .isTrue();
    }

    private final ConcurrentLinkedDeque<Runnable> queued = new ConcurrentLinkedDeque<>();

    @Override
    public void execute(Runnable continuation) {
        queued.add(continuation);
    }

    @Override
    public boolean queue(Thread parked) {
        return queued.add(() -> Unparking.run(parked));
    }

    Thread newThread(Runnable body) {
        return Loom.newVirtualThread(this, "by-hand", body);
    }

    /** Starts a thread and runs it as far as it comes. */
    Thread start(Runnable body) {
        Thread thread = newThread(body);
        thread.start();
        runFirst();
        return thread;
    }

    int size() {
        return queued.size();
    }

    /** Runs what was queued first. */
    void runFirst() {
        queued.removeFirst().run();
    }

    /** Loses what is queued. */
    void drop() {
        queued.clear();
    }

    /** Runs what was queued last. */
    void runLast() {
        queued.removeLast().run();
    }

    /** Runs everything that is queued, and what that queues. */
    void runAll() {
        for (Runnable next = queued.poll(); next != null; next = queued.poll()) {
            next.run();
        }
    }

    /** Runs whatever comes until the thread has ended. */
    void runUntilEnded(Thread thread) {
        Await.until(
                thread.getName() + " ends",
                () -> {
                    runAll();
                    return !thread.isAlive();
                },
                thread);
    }
}
