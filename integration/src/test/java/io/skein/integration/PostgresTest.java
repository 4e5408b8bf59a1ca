package io.skein.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.awaitility.Awaitility.await;

import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.Tasks;
import io.skein.time.Time;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** PostgreSQL through its stock JDBC driver, which is given Skein's sockets. */
@IntegrationTest.EachDriver
@Timeout(120)
class PostgresTest extends IntegrationTest {
    private static final String CANCELLED = "57014";

    @RegisterExtension
    static final SharedServer<PostgresServer> SERVER = new SharedServer<>(PostgresServer::start);

    PostgresTest(DriverKind driver) {
        super(driver);
    }

    @BeforeEach
    void useRuntime() {
        WatchedSocketFactory.use(skein);
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                SERVER.get().url() + "&socketFactory=" + WatchedSocketFactory.class.getName());
    }

    @Test
    void fiftyCoroutinesRunPreparedStatementsAtOnce() throws Exception {
        int sum = skein.blockOn(() -> Tasks.parallel(
                IntStream.rangeClosed(1, 50).boxed().toList(), 50, PostgresTest::squaredTenTimes, 0, Integer::sum));

        assertThat(sum)
                .isEqualTo(10 * IntStream.rangeClosed(1, 50).map(n -> n * n).sum());
        assertThat(WatchedSocketFactory.made()).isEqualTo(50);
    }

    private static int squaredTenTimes(int number) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement squaring = connection.prepareStatement("select ? * ?")) {
            int sum = 0;
            for (int i = 0; i < 10; i++) { // the driver prepares it on the server after five times
                squaring.setInt(1, number);
                squaring.setInt(2, number);
                try (ResultSet result = squaring.executeQuery()) {
                    assertThat(result.next()).isTrue();
                    sum += result.getInt(1);
                }
            }
            return sum;
        }
    }

    @Test
    void aPlatformThreadUsesTheSameSockets() throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> squaredTenTimes(7));
        Thread.ofPlatform().start(task);

        assertThat(task.get()).isEqualTo(490);
        assertThat(WatchedSocketFactory.made()).isEqualTo(1);
    }

    @Test
    void rowsAreCopiedInAndOutAgain() throws Exception {
        String rows = IntStream.range(0, 50_000)
                .mapToObj(number -> number + "\tthis is row " + number + "\n")
                .collect(Collectors.joining());
        skein.blockOn(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("create temporary table copied (number int, text text)");
                CopyManager copying = connection.unwrap(PGConnection.class).getCopyAPI();

                assertThat(copying.copyIn("copy copied from stdin", new StringReader(rows)))
                        .isEqualTo(50_000);

                StringWriter out = new StringWriter();
                copying.copyOut("copy (select * from copied order by number) to stdout", out);
                assertThat(out).hasToString(rows);
            }
        });
    }

    @Test
    void aQueryIsCancelledByAnotherCoroutine() throws Exception {
        skein.blockOn(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                Coroutine<SQLException> query = skein.spawn(() -> failureOf(statement, "select pg_sleep(600)"));
                awaitRunning("pg_sleep(600)");

                statement.cancel();

                assertThat(query.join().getSQLState()).isEqualTo(CANCELLED);
                assertThat(numberOf(statement, "select 1")).isEqualTo(1); // the connection goes on
            }
        });
    }

    @Test
    void aCancelledCoroutineLeavesItsQueryAndItsConnection() throws Exception {
        skein.blockOn(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                Coroutine<SQLException> query = skein.spawn(() -> failureOf(statement, "select pg_sleep(601)"));
                awaitRunning("pg_sleep(601)");

                query.cancel(true);

                assertThatObject(query.join()).isNotNull();
                assertThat(connection.isClosed()).isTrue();
            }
        });
    }

    /** The driver tells of a lost connection, and of no interrupt. {@link #closeRuntime} looks whether that was taken for a failure. */
    @Test
    void aCoroutineThatIsCancelledInAQueryHasNotFailed() throws Exception {
        skein.blockOn(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                Coroutine<Boolean> query = skein.spawn(() -> statement.execute("select pg_sleep(606)"));
                awaitRunning("pg_sleep(606)");

                query.cancel(true);
                await("the query has ended").atMost(LONG).pollInSameThread().until(query::isDone);

                assertThat(query.state()).isEqualTo(Coroutine.State.CANCELLED);
                assertThatExceptionOfType(CancellationException.class)
                        .isThrownBy(query::join)
                        .withCauseInstanceOf(SQLException.class);
            }
        });
    }

    @Test
    void aCancelledCoroutineCancelsItsQueryOnTheServerAndKeepsItsConnection() throws Exception {
        skein.blockOn(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                Coroutine<Boolean> query = skein.spawn(
                        () -> Coroutine.endedBy(statement::cancel, () -> statement.execute("select pg_sleep(604)")));
                awaitRunning("pg_sleep(604)");

                query.cancel(true);
                await("the query has ended").atMost(LONG).pollInSameThread().until(query::isDone);

                assertThat(query.isCancelled()).isTrue();
                awaitNotRunning("pg_sleep(604)");
                assertThat(numberOf(statement, "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    void aQueryThatIsLateIsCancelledOnTheServer() throws Exception {
        skein.blockOn(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                assertThatExceptionOfType(TimeoutException.class)
                        .isThrownBy(() -> Time.timeout(
                                Duration.ofMillis(50),
                                () -> Coroutine.endedBy(
                                        statement::cancel, () -> statement.execute("select pg_sleep(605)"))));

                awaitNotRunning("pg_sleep(605)");
                assertThat(numberOf(statement, "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    void aServerThatDoesNotAnswerEndsInATimeout() throws Exception {
        skein.blockOn(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                connection.setNetworkTimeout(Runnable::run, 50);

                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> statement.executeQuery("select pg_sleep(602)"))
                        .withRootCauseInstanceOf(SocketTimeoutException.class);
            }
        });
    }

    @Test
    void aRestartInTheMiddleEndsConnectionsAndNewOnesWork() throws Exception {
        skein.blockOn(() -> {
            AtomicReference<SQLException> ended = new AtomicReference<>();
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists kept (number int)");
                statement.execute("truncate kept");
                statement.execute("insert into kept values (42)");
                Coroutine<?> query = skein.spawn(() -> ended.set(failureOf(statement, "select pg_sleep(603)")));
                awaitRunning("pg_sleep(603)");

                Skein.blocking(() -> {
                    SERVER.get().restart();
                    return true;
                });

                query.join();
            }
            assertThatObject(ended.get()).isNotNull();
            try (Connection again = connect();
                    Statement statement = again.createStatement()) {
                assertThat(numberOf(statement, "select number from kept")).isEqualTo(42);
            }
        });
    }

    private static SQLException failureOf(Statement statement, String query) {
        try {
            statement.execute(query);
            return new SQLException("it did not fail");
        } catch (SQLException e) {
            return e;
        }
    }

    private static int numberOf(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            assertThat(result.next()).isTrue();
            return result.getInt(1);
        }
    }

    /** Waits until the server is at work on a query. */
    private static void awaitRunning(String query) throws SQLException {
        awaitRunning(query, 1);
    }

    private static void awaitNotRunning(String query) throws SQLException {
        awaitRunning(query, 0);
    }

    private static void awaitRunning(String query, int count) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement asking = connection.prepareStatement(
                        "select count(*) from pg_stat_activity where state = 'active' and query = ?")) {
            asking.setString(1, "select " + query);
            await("the server runs " + query + " " + count + " times")
                    .atMost(LONG)
                    .pollInSameThread()
                    .until(() -> {
                        try (ResultSet result = asking.executeQuery()) {
                            return result.next() && result.getInt(1) == count;
                        }
                    });
        }
    }
}
