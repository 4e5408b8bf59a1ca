package io.skein.integration;

import java.io.IOException;
import java.util.List;

/** A Redis server of the machine's that keeps nothing. */
final class RedisServer implements SharedServer.Stoppable {
    private final TemporaryFolder folder;
    private final int port;
    private final ServerProcess process;

    private RedisServer(TemporaryFolder folder, int port, ServerProcess process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Starts one; ends the test as skipped where that cannot be. */
    static RedisServer start() throws IOException {
        String program = Program.assumed("redis-server").toString();
        TemporaryFolder folder = TemporaryFolder.create("skein-redis");
        int port = ServerProcess.freePort();
        List<String> command = List.of(
                program,
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                folder.path().toString());
        try {
            return new RedisServer(folder, port, ServerProcess.start(command, folder.path(), port));
        } catch (IOException | RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        try {
            process.stop("TERM");
        } finally {
            folder.close();
        }
    }
}
