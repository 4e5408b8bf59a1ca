package io.skein.bench.server;

/** What a handler does besides input and output: it keeps its core busy for some nanoseconds. */
record Computing(long nanos) {
    void run() {
        if (nanos > 0) {
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < nanos) {
                Thread.onSpinWait();
            }
        }
    }
}
