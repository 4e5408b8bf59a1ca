package io.skein.internal.sched;

import io.skein.internal.linux.Libc;
import java.lang.System.Logger.Level;

/** Binds the calling thread to one processor, where the system has a way to. */
final class CpuAffinity {
    private static final System.Logger LOG = System.getLogger("io.skein");

    private CpuAffinity() {}

    /** Binds the calling thread, a worker, to the processor with that number among those that the process may use. */
    static void pin(Worker worker, int number) {
        String refusal =
                System.getProperty("os.name").equals("Linux") ? Libc.bindToProcessor(number) : "only Linux can";
        if (!refusal.isEmpty()) {
            LOG.log(Level.INFO, worker.getName() + " is not bound to a processor: " + refusal);
        }
    }
}
