package io.skein.internal.sched;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/** Something runnable that is known by its number, for tests of queues. */
record Numbered(int number) implements Runnable {
    @Override
    public void run() {}

    static List<Runnable> range(int from, int to) {
        return IntStream.range(from, to).<Runnable>mapToObj(Numbered::new).toList();
    }

    /** Keeps what a run queue spills. Any thread may use it. */
    static final class Spilled implements RunQueue.Overflow {
        final ConcurrentLinkedQueue<Runnable> all = new ConcurrentLinkedQueue<>();

        @Override
        public void take(Runnable runnable) {
            all.add(runnable);
        }

        @Override
        public void takeAll(List<Runnable> runnables) {
            all.addAll(runnables);
        }
    }
}
