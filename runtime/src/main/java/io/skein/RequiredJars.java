package io.skein;

/** The jars that the runtime cannot do without, looked for before it starts: a class path made by hand may lack one. */
final class RequiredJars {
    private RequiredJars() {}

    /**
     * Looks for them.
     *
     * @throws IllegalStateException naming the one that is missing
     */
    static void check() {
        require("jctools-core", "org.jctools.queues.MessagePassingQueue"); // the other one's classes need it
        require("jctools-core-jdk11", "org.jctools.queues.varhandle.MpmcVarHandleArrayQueue");
    }

    private static void require(String jar, String type) {
        try {
            Class<?> _ = Class.forName(type, false, RequiredJars.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException(
                    "the jar " + jar + " is missing: Skein needs both jctools-core and jctools-core-jdk11");
        }
    }
}
