package io.skein.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL of the machine's with a database of its own, which does not outlive it. */
public final class Postgres {
    public static final String PROGRAM = "postgres";
    public static final String PREPARES = "initdb";

    /** Who runs it for root, since it refuses to. The installation has made that user. */
    private static final String USER = "postgres";

    private Postgres() {}

    public static MachineServer start() throws IOException {
        return MachineServer.start("postgres", Postgres::command);
    }

    private static List<String> command(int port, Path folder) throws IOException {
        String data = folder.resolve("data").toString();
        run(asUser(
                folder,
                path(PREPARES),
                "--pgdata=" + data,
                "--auth=trust",
                "--username=skein",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync"));
        return asUser(
                folder,
                path(PROGRAM),
                "-D",
                data,
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=off",
                "-c",
                "autovacuum=off");
    }

    private static String path(String program) throws IOException {
        return Programs.find(program)
                .orElseThrow(() -> new IOException(program + " is not installed"))
                .toString();
    }

    private static List<String> asUser(Path folder, String... command) throws IOException {
        List<String> whole = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            UserPrincipal user =
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
            Files.setOwner(folder, user);
            whole.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups", "--"));
        }
        whole.addAll(List.of(command));
        return whole;
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command.getFirst() + ": " + said.strip());
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + command.getFirst() + " was running", hurry);
        }
    }
}
