package io.skein.integration;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A PostgreSQL server of the machine's, with a database of its own in a temporary folder. */
final class PostgresServer implements SharedServer.Stoppable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> OTHER_USERS = List.of("postgres", "nobody");

    private final TemporaryFolder folder;
    private final List<String> asUser;
    private final int port;
    private ServerProcess process;

    private PostgresServer(TemporaryFolder folder, List<String> asUser, int port) {
        this.folder = folder;
        this.asUser = asUser;
        this.port = port;
    }

    /** Starts one; ends the test as skipped where that cannot be. */
    static PostgresServer start() throws IOException, InterruptedException {
        Path initdb = Program.assumed("initdb");
        Program.assumed("postgres");
        TemporaryFolder folder = TemporaryFolder.create("skein-postgres");
        try {
            PostgresServer server =
                    new PostgresServer(folder, asOtherUserThanRoot(folder.path()), ServerProcess.freePort());
            ServerProcess.run(
                    server.command(
                            initdb.toString(),
                            "--pgdata=" + server.data(),
                            "--auth=trust",
                            "--username=skein",
                            "--encoding=UTF8",
                            "--locale=C",
                            "--no-sync"),
                    folder.path());
            server.start(server.data());
            return server;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    /** How to become somebody else, since the server refuses to run as root; and the folder is theirs then. */
    private static List<String> asOtherUserThanRoot(Path folder) throws IOException {
        if (!System.getProperty("user.name").equals("root")) {
            return List.of();
        }
        for (String user : OTHER_USERS) {
            Optional<UserPrincipal> principal = principal(folder, user);
            if (principal.isPresent()) {
                Files.setOwner(folder, principal.get());
                String setpriv = Program.assumed("setpriv").toString();
                return List.of(setpriv, "--reuid=" + user, "--regid=" + groupOf(user), "--clear-groups", "--");
            }
        }
        assumeTrue(false, "PostgreSQL does not run as root, and there is no user of " + OTHER_USERS);
        return List.of();
    }

    private static String groupOf(String user) {
        return user.equals("nobody") ? "nogroup" : user;
    }

    private static Optional<UserPrincipal> principal(Path folder, String user) throws IOException {
        try {
            return Optional.of(
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
        } catch (UserPrincipalNotFoundException e) {
            return Optional.empty();
        }
    }

    private Path data() {
        return folder.path().resolve("data");
    }

    private List<String> command(String... words) {
        List<String> command = new ArrayList<>(asUser);
        command.addAll(List.of(words));
        return command;
    }

    private void start(Path data) throws IOException {
        process = ServerProcess.start(
                command(
                        Program.assumed("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off",
                        "-c",
                        "max_connections=120"),
                folder.path(),
                port);
        await("the database is ready").atMost(PATIENCE).until(this::isReady);
    }

    /** It answers before it is ready, and says so. */
    private boolean isReady() {
        try (Connection connection = DriverManager.getConnection(url())) {
            return connection.isValid(0);
        } catch (SQLException startingUp) {
            return false;
        }
    }

    /** Ends every connection, stops, and starts again on the same port. */
    void restart() throws IOException, InterruptedException {
        process.stop("INT");
        start(data());
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=skein&sslmode=disable&gssEncMode=disable";
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        try {
            process.stop("INT");
        } finally {
            folder.close();
        }
    }
}
