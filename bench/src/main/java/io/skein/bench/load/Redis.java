package io.skein.bench.load;

import java.io.IOException;
import java.util.List;

/** A Redis of the machine's that keeps nothing. */
public final class Redis {
    public static final String PROGRAM = "redis-server";

    private Redis() {}

    public static MachineServer start() throws IOException {
        return MachineServer.start(
                "redis",
                (port, folder) -> List.of(
                        PROGRAM,
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no",
                        "--dir",
                        folder.toString()));
    }
}
