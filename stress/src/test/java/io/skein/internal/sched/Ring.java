package io.skein.internal.sched;

import org.jspecify.annotations.Nullable;

/** A run queue as the stress tests use it: the real one or a broken twin. */
interface Ring {
    void push(Runnable runnable);

    @Nullable
    Runnable pop();

    /** What a thief does to this ring; {@code mine} is of the same kind. */
    @Nullable
    Runnable stealHalfInto(Ring mine);

    /** Pops until nothing comes any more, and adds up the weights. */
    default int drain() {
        int weight = 0;
        for (Runnable next = pop(); next != null; next = pop()) {
            weight += Token.weight(next);
        }
        return weight;
    }

    static Ring real(int capacity, RunQueue.Overflow overflow) {
        return new Real(new RunQueue(capacity, overflow));
    }

    /** The run queue itself. */
    record Real(RunQueue queue) implements Ring {
        @Override
        public void push(Runnable runnable) {
            queue.push(runnable);
        }

        @Override
        public @Nullable Runnable pop() {
            return queue.pop();
        }

        @Override
        public @Nullable Runnable stealHalfInto(Ring mine) {
            return queue.thief().stealHalfInto(((Real) mine).queue);
        }
    }
}
