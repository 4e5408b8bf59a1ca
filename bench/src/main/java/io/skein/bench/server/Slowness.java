package io.skein.bench.server;

/**
 * Makes Skein's server slower on purpose, so that one can see that the harness would notice: {@code
 * -Dskein.bench.slow=MICROSECONDS} is how long it computes before each reply.
 */
final class Slowness {
    static final String PROPERTY = "skein.bench.slow";

    private static final Computing COMPUTING = new Computing(1000 * Long.getLong(PROPERTY, 0));

    private Slowness() {}

    static void beforeReply() {
        COMPUTING.run();
    }
}
