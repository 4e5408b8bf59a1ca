package io.skein.internal.sched;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.lang.System.Logger.Level;
import java.util.BitSet;

/**
 * Binds workers to processors, where the system has a way to, and keeps other threads unbound.
 *
 * <p>A thread inherits the binding of the one that starts it. So the processors of the process are noted when the runtime
 * starts, and what a worker starts is given them back. Immutable; any thread may call it.
 */
final class CpuAffinity {
    private static final System.Logger LOG = System.getLogger("io.skein");

    private final boolean wanted;
    private final BitSet processors;

    CpuAffinity(boolean wanted) {
        this.wanted = wanted;
        this.processors = wanted && isLinux() ? Libc.processors() : new BitSet();
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }

    /** Binds the calling worker to the processor with its number, counted around when there are fewer. */
    void bind(Worker worker) {
        if (!wanted) {
            return;
        }
        String refusal = "only Linux can";
        if (!processors.isEmpty()) {
            int processor = -1;
            for (int i = 0; i <= worker.id() % processors.cardinality(); i++) {
                processor = processors.nextSetBit(processor + 1);
            }
            BitSet one = new BitSet();
            one.set(processor);
            int result = Libc.bindTo(one);
            refusal = result < 0 ? Errno.describe(-result) : "";
        }
        if (!refusal.isEmpty()) {
            LOG.log(Level.INFO, worker.name() + " is not bound to a processor: " + refusal);
        }
    }

    /** Lets the calling thread use all processors again, whatever it inherited. */
    void unbind() {
        if (!processors.isEmpty()) {
            Libc.bindTo(processors);
        }
    }
}
