package io.skein.bench.sync;

/** The names by which a benchmark is told who is to run it. */
public final class Contenders {
    public static final String SKEIN = "skein";

    /** Skein, with every coroutine kept on a worker: no two neighbours share one. */
    public static final String SKEIN_APART = "skein, apart";

    /** Jox, on the JDK's virtual threads. */
    public static final String JOX = "jox";

    /** {@code java.util.concurrent}, used by the JDK's virtual threads where it makes threads wait. */
    public static final String JUC = "j.u.c.";

    /** The same classes of {@code java.util.concurrent}, used by Skein's coroutines. */
    public static final String SKEIN_JUC = "skein, j.u.c.";

    /** The JDK's virtual threads by themselves. */
    public static final String JDK = "jdk";

    /** Netty's hashed wheel, with a thread of its own. */
    public static final String NETTY = "netty";

    private Contenders() {}
}
