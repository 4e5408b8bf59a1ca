package io.skein.time;

import io.skein.Dispatch;
import io.skein.Skein;
import io.skein.internal.loom.Loom;
import io.skein.internal.time.Timekeeper;
import java.util.Objects;

/** Looks into the wheels of a runtime's workers. */
final class Wheels {
    private Wheels() {}

    /**
     * How many timers the worker that runs the caller has; what it was told by mail is taken into account. Without the flags no
     * worker runs anybody.
     */
    static int ownSize() {
        if (!Loom.available()) {
            return 0;
        }
        Timekeeper keeper = (Timekeeper) Objects.requireNonNull(Loom.currentCarrier());
        keeper.wheel().nanosToNext(); // reads the mail
        return keeper.wheel().size();
    }

    /** How many timers a runtime under pinned scheduling has. */
    static int size(Skein skein, int workers) throws InterruptedException {
        int size = 0;
        for (int worker = 0; worker < workers; worker++) {
            size += skein.<Integer>spawn(Dispatch.to(worker), Wheels::ownSize).join();
        }
        return size;
    }
}
