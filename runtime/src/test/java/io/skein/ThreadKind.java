package io.skein;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The kinds of threads that wait for things: what works on each of them is tested with each of them. */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public enum ThreadKind {
    COROUTINE,
    PLATFORM,
    VIRTUAL;

    private static final List<ThreadKind> ALL = List.of(values());

    /** One kind after the other. */
    public static ThreadKind inTurn(int number) {
        return ALL.get(number % ALL.size());
    }

    /** A body that runs on a thread of its own. */
    public record Running<T extends @Nullable Object>(Thread thread, Future<T> outcome) {
        /** The body's value. */
        public T get() throws Exception {
            return outcome.get(20, TimeUnit.SECONDS);
        }

        public void awaitWaiting() {
            Await.untilWaiting(thread);
        }
    }

    public <T extends @Nullable Object> Running<T> start(Skein skein, Callable<T> body) {
        if (this == COROUTINE) {
            Coroutine<T> coroutine = skein.spawn(body);
            return new Running<>(coroutine.thread(), coroutine);
        }
        FutureTask<T> future = new FutureTask<>(body);
        Thread.Builder builder = this == PLATFORM ? Thread.ofPlatform() : Thread.ofVirtual();
        return new Running<>(builder.name("test-" + this).start(future), future);
    }

    public <T extends @Nullable Object> T call(Skein skein, Callable<T> body) throws Exception {
        return this == COROUTINE
                ? skein.blockOn(body)
                : start(skein, body).get(); // whose failure is heard, however early
    }
}
