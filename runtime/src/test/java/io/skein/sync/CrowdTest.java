package io.skein.sync;

import io.skein.Action;
import io.skein.ModeTest;
import io.skein.ThreadKind.Running;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** A test whose bodies run on the threads of a {@link Crowd}. */
abstract class CrowdTest extends ModeTest {
    private final Crowd crowd;

    CrowdTest(Crowd crowd) {
        super(crowd.mode());
        this.crowd = crowd;
    }

    /** Runs a body on a thread of its own; nobody but who asks for the outcome hears of a failure. */
    final <T extends @Nullable Object> Running<T> start(Callable<T> body) {
        FutureTask<T> outcome = new FutureTask<>(body);
        return new Running<>(
                crowd.kind().start(skein, Executors.callable(outcome)).thread(), outcome);
    }

    /** Runs a body on a thread of its own, and waits for that to wait for something. */
    final <T extends @Nullable Object> Running<T> startWaiting(Callable<T> body) {
        Running<T> running = start(body);
        running.awaitWaiting();
        return running;
    }

    final <T extends @Nullable Object> T call(Callable<T> body) throws Exception {
        return start(body).get();
    }

    final void run(Action body) throws Exception {
        call(() -> {
            body.run();
            return null;
        });
    }

    /** Sends on a thread of its own, which has to wait. */
    final <T> Running<@Nullable Void> startSending(Channel<T> channel, T value) {
        return startWaiting(() -> {
            channel.send(value);
            return null;
        });
    }
}
