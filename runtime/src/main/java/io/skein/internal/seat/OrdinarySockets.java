package io.skein.internal.seat;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.net.SocketFactory;

/**
 * The JDK's own sockets, handed out where Skein's were asked for and cannot be had. Counted; the first is told to
 * the log. Any thread may call it.
 */
public final class OrdinarySockets {
    private static final System.Logger LOG = System.getLogger("io.skein");
    private static final OrdinarySockets OF_PROCESS = new OrdinarySockets();

    private final AtomicLong count = new AtomicLong();

    public static OrdinarySockets ofProcess() {
        return OF_PROCESS;
    }

    /** A factory that is about to make one. */
    public SocketFactory factory(Supplier<String> reason) {
        if (count.getAndIncrement() == 0) {
            LOG.log(
                    Level.WARNING,
                    () -> reason.get() + "; further such sockets are counted in metrics(), and not told of");
        }
        return SocketFactory.getDefault();
    }

    public long count() {
        return count.get();
    }
}
