package io.skein.bench.scheduler;

import io.skein.Action;
import io.skein.Skein;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Those who make virtual threads. Safe for use by any thread. */
interface Coroutines extends AutoCloseable {
    /** Runs a body in a coroutine, while the calling platform thread waits. */
    void blockOn(Action body) throws InterruptedException;

    /** Starts a coroutine. */
    Thread start(Body body);

    /** Starts a coroutine and waits for its end. */
    void startAndJoin(Body body) throws InterruptedException;

    @Override
    void close();

    static Coroutines of(String contender) {
        return switch (contender) {
            case Contenders.SKEIN -> new OnSkein();
            case Contenders.JDK -> new OnJdk();
            default -> throw new IllegalArgumentException("'" + contender + "' makes no virtual threads");
        };
    }

    /** Skein with one worker. */
    final class OnSkein implements Coroutines {
        private final Skein skein = Skein.builder().workers(1).start();

        @Override
        public void blockOn(Action body) throws InterruptedException {
            skein.blockOn(body);
        }

        @Override
        public Thread start(Body body) {
            return skein.spawn(body).thread();
        }

        @Override
        public void startAndJoin(Body body) throws InterruptedException {
            skein.spawn(body).join();
        }

        @Override
        public void close() {
            skein.close();
        }
    }

    /** The JDK's own scheduler; how many carriers it has, the flags of the JVM say. */
    final class OnJdk implements Coroutines {
        @Override
        public void blockOn(Action body) throws InterruptedException {
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                body.run();
                return true;
            });
            Thread.startVirtualThread(task);
            try {
                task.get();
            } catch (ExecutionException failure) {
                throw new CompletionException(failure.getCause());
            }
        }

        @Override
        public Thread start(Body body) {
            return Thread.startVirtualThread(body);
        }

        @Override
        public void startAndJoin(Body body) throws InterruptedException {
            Thread.startVirtualThread(body).join();
        }

        @Override
        public void close() {}
    }
}
