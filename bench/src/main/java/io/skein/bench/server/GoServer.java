package io.skein.bench.server;

import io.skein.bench.server.ProgramServer.Program;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Go, as people write it: one goroutine per connection, the standard library, as many processors as there are workers. */
final class GoServer {
    static final String COMPILER = "go";

    private GoServer() {}

    /** Throws an {@link UnsupportedOperationException} where Go is not installed, or for what it does not do. */
    static Server start(String compiler, Setting setting) throws IOException, InterruptedException {
        boolean web = setting.service() == Service.HTTP;
        if (!web) {
            setting.requireEcho();
        }
        return ProgramServer.start(
                new Program("go", List.of(web ? "web.go" : "echo.go"), List.of(compiler, "build")),
                web
                        ? List.of()
                        : List.of(Integer.toString(setting.bufferSize()), Integer.toString(setting.workMicros())),
                Map.of("GOMAXPROCS", Integer.toString(setting.workers())));
    }
}
