package io.skein.internal.sched;

import java.util.List;

/** What a run queue spilled, added up. For the owner's thread, and for others once that has finished. */
final class Spilled implements RunQueue.Overflow {
    private int weight;

    @Override
    public void take(Runnable runnable) {
        weight += Token.weight(runnable);
    }

    @Override
    public void takeAll(List<Runnable> runnables) {
        runnables.forEach(this::take);
    }

    int weight() {
        return weight;
    }
}
