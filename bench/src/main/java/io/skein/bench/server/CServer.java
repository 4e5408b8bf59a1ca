package io.skein.bench.server;

import io.skein.bench.server.ProgramServer.Program;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The servers written in C, with one thread: how much a JVM and a runtime add to what the kernel costs. */
final class CServer {
    static final String COMPILER = "gcc";

    private static final String SHARED = "echo.h";

    private CServer() {}

    /**
     * Compiles and starts.
     *
     * @param source the name of the C file
     * @throws UnsupportedOperationException when it does not do that, or there is no such compiler
     */
    static Server start(String compiler, Setting setting, String source) throws IOException, InterruptedException {
        setting.requireEcho();
        if (setting.workers() > 1 || setting.workMicros() > 0) {
            throw new UnsupportedOperationException("the servers in C have one thread, and compute nothing");
        }
        return ProgramServer.start(
                new Program("c", List.of(SHARED, source), List.of(compiler, "-O2")),
                List.of(Integer.toString(setting.bufferSize())),
                Map.of());
    }
}
