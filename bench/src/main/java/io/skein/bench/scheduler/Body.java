package io.skein.bench.scheduler;

import io.skein.Action;

/** What a coroutine runs: one object that both Skein and the JDK take as it is, so that neither pays for a wrapper. */
interface Body extends Runnable, Action {
    @Override
    void run();
}
