package io.skein.bench.sync;

import io.skein.Action;
import io.skein.Coroutine;
import io.skein.Scheduling;
import io.skein.Skein;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Those who run coroutines. Platform threads call it. */
interface Runner extends AutoCloseable {
    /** Starts a coroutine. */
    Thread start(Body body);

    /** Runs one coroutine that starts one for each body, and waits for them all. A failure is thrown. */
    void together(List<Action> bodies) throws InterruptedException;

    @Override
    void close();

    /** One object that both Skein and the JDK take as it is, so that neither pays for a wrapper. */
    interface Body extends Runnable, Action {
        @Override
        void run();
    }

    static Runner of(String contender, int workers) {
        return switch (contender) {
            case Contenders.SKEIN, Contenders.SKEIN_JUC -> new OnSkein(workers, Scheduling.STEALING);
            case Contenders.SKEIN_APART -> new OnSkein(workers, Scheduling.PINNED);
            case Contenders.JOX, Contenders.JUC, Contenders.JDK -> new OnJdk();
            default -> throw new IllegalArgumentException("'" + contender + "' runs no coroutines");
        };
    }

    /** Skein; if its coroutines are pinned, they are dealt out to the workers in turn. */
    final class OnSkein implements Runner {
        private final Skein skein;
        private final boolean apart;

        OnSkein(int workers, Scheduling scheduling) {
            skein = Skein.builder().workers(workers).scheduling(scheduling).start();
            apart = scheduling == Scheduling.PINNED;
        }

        @Override
        public Thread start(Body body) {
            return skein.spawn(body).thread();
        }

        @Override
        public void together(List<Action> bodies) throws InterruptedException {
            skein.blockOn(() -> {
                List<Coroutine<?>> all = new ArrayList<>(bodies.size());
                for (Action body : bodies) {
                    all.add(apart ? skein.spawnOn(all.size() % skein.workers(), body) : skein.spawn(body));
                }
                for (Coroutine<?> each : all) {
                    each.join();
                }
            });
        }

        @Override
        public void close() {
            skein.close();
        }
    }

    /** Virtual threads on the JDK's own scheduler. */
    final class OnJdk implements Runner {
        @Override
        public Thread start(Body body) {
            return Thread.startVirtualThread(body);
        }

        @Override
        public void together(List<Action> bodies) throws InterruptedException {
            try {
                started(() -> {
                            List<Future<Boolean>> all = new ArrayList<>(bodies.size());
                            for (Action body : bodies) {
                                all.add(started(body));
                            }
                            for (Future<Boolean> each : all) {
                                each.get();
                            }
                        })
                        .get();
            } catch (ExecutionException failure) {
                throw new CompletionException(failure.getCause());
            }
        }

        private static Future<Boolean> started(Action body) {
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                body.run();
                return true;
            });
            Thread.startVirtualThread(task);
            return task;
        }

        @Override
        public void close() {}
    }
}
