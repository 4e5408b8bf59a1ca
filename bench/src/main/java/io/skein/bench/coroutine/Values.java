package io.skein.bench.coroutine;

/** Values to hand over: another one each time, so that nobody can do without the call that gets it. For one thread at a time. */
final class Values {
    /** A power of two. */
    private static final int COUNT = 16;

    private final Object[] values = new Object[COUNT];
    private int taken;

    Values() {
        for (int i = 0; i < COUNT; i++) {
            values[i] = new Object();
        }
    }

    Object next() {
        return values[taken++ & (COUNT - 1)];
    }
}
