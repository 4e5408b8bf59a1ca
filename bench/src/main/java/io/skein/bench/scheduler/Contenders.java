package io.skein.bench.scheduler;

/** The names by which a benchmark is told who is to run it. */
public final class Contenders {
    public static final String SKEIN = "skein";
    public static final String JDK = "jdk";

    /** Platform threads: what the machine gives. */
    public static final String THREADS = "threads";

    private Contenders() {}
}
