/** Skein: coroutines for the JVM on Linux io_uring. */
module io.skein {
    requires org.jctools.core.jdk11;
    requires static jdk.net;
    requires static transitive org.jspecify;

    exports io.skein;
    exports io.skein.net;
    exports io.skein.sync;
    exports io.skein.time;
}
