package io.skein.bench.library;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.postgresql.util.DriverInfo;

/** PostgreSQL's driver with a pool of HikariCP, which has its usual ten connections: more threads than that wait for each other. */
final class HikariProgram {
    private static final int ANSWER = 42;

    /** A server that listens may still not take connections for a moment. */
    private static final long START_MILLIS = 10_000;

    /** Kept, or its level would be forgotten. */
    private static final Logger LOGGER = Logger.getLogger("com.zaxxer.hikari");

    private HikariProgram() {}

    static LibraryServer.Program start(Threads threads) throws IOException {
        LOGGER.setLevel(Level.SEVERE);
        String name = DriverInfo.DRIVER_FULL_NAME + " and " + LibraryServer.nameOf(HikariDataSource.class);
        return new ClientProgram(threads, name, (port, _) -> open(threads, port));
    }

    private static ClientProgram.Client open(Threads threads, int port) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + port
                + "/postgres?user=skein&sslmode=disable&gssEncMode=disable" + threads.socketsByName());
        config.setThreadFactory(threads.factory());
        config.setInitializationFailTimeout(START_MILLIS);
        return new Selecting(new HikariDataSource(config));
    }

    private record Selecting(HikariDataSource pool) implements ClientProgram.Client {
        @Override
        public void ask() throws SQLException {
            try (Connection connection = pool.getConnection();
                    PreparedStatement selecting = connection.prepareStatement("select ?")) {
                selecting.setInt(1, ANSWER);
                try (ResultSet result = selecting.executeQuery()) {
                    if (!result.next() || result.getInt(1) != ANSWER) {
                        throw new SQLException("PostgreSQL does not answer what was asked for");
                    }
                }
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
