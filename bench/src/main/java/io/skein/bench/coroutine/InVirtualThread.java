package io.skein.bench.coroutine;

import io.skein.Action;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A body that one of the JDK's virtual threads runs, on the JDK's scheduler. A failure is not lost with the thread. */
final class InVirtualThread {
    private final FutureTask<Boolean> end;

    private InVirtualThread(Action body) {
        end = new FutureTask<>(() -> {
            body.run();
            return true;
        });
    }

    static InVirtualThread start(Action body) {
        InVirtualThread started = new InVirtualThread(body);
        Thread.startVirtualThread(started.end);
        return started;
    }

    /** Waits for the end, and throws if the body failed. */
    void join() throws InterruptedException, ExecutionException {
        end.get();
    }
}
