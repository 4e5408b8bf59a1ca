package io.skein.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.net.SkeinSocketFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All connections of a pool are Skein's, though HikariCP and PostgreSQL's driver open them on threads of their own. */
@IntegrationTest.EachDriver
@Timeout(120)
class HikariTest extends IntegrationTest {
    private static final int SIZE = 10;

    @RegisterExtension
    static final SharedServer<PostgresServer> SERVER = new SharedServer<>(PostgresServer::start);

    private long ordinaryBefore;

    HikariTest(DriverKind driver) {
        super(driver);
    }

    @BeforeEach
    void countOrdinarySockets() {
        ordinaryBefore = skein.metrics().sockets().ordinary();
    }

    private static String url() {
        return SERVER.get().url() + "&socketFactory=" + SkeinSocketFactory.class.getName();
    }

    private static HikariConfig config(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(SIZE);
        return config;
    }

    private static HikariConfig byName() {
        return config(url() + "&socketFactoryArg=" + NAME);
    }

    @Test
    void aPoolThatIsToldTheRuntimesNameOpensAllConnectionsThere() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource(byName())) {
            expectFilled(pool);
            assertThat(numberFrom(pool)).isEqualTo(1);
        }
    }

    @Test
    void aPoolThatIsGivenTheRuntimesThreadsOpensAllConnectionsThere() throws Exception {
        HikariConfig config = config(url());
        config.setThreadFactory(skein.threadFactory());
        skein.blockOn(() -> {
            try (HikariDataSource pool = new HikariDataSource(config)) {
                expectFilled(pool);
                assertThat(numberFrom(pool)).isEqualTo(1);
            }
        });
    }

    @Test
    void aLoginTimeoutWhichMovesTheConnectToAThreadOfTheDriverDoesNotLoseTheRuntime() throws Exception {
        skein.blockOn(() -> {
            String url = url() + "&loginTimeout=30&socketFactoryArg=" + NAME;
            try (Connection connection = DriverManager.getConnection(url)) {
                assertThat(connection.isValid(0)).isTrue();
            }
        });

        expectSockets(1);
    }

    /** Who touches the class first opens a connection in its initialiser; the others wait for that and hold their workers. */
    @Test
    void fiftyCoroutinesThatTouchAStaticPoolFirstAllGetTheirAnswer() throws Exception {
        List<Coroutine<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(skein.spawn(() -> numberFrom(staticPool())));
        }
        try {
            for (Coroutine<Integer> one : all) {
                assertThat(one.join()).isEqualTo(1);
            }
        } finally {
            staticPool().close();
        }
    }

    private HikariDataSource staticPool() {
        return driver == DriverKind.URING ? OnTheRing.POOL : OverNio.POOL;
    }

    private static final class OnTheRing {
        static final HikariDataSource POOL = new HikariDataSource(byName());
    }

    private static final class OverNio {
        static final HikariDataSource POOL = new HikariDataSource(byName());
    }

    private void expectFilled(HikariDataSource pool) {
        await("the pool is full")
                .atMost(LONG)
                .pollInSameThread()
                .until(() -> pool.getHikariPoolMXBean().getTotalConnections() == SIZE);
        expectSockets(SIZE);
    }

    private void expectSockets(int count) {
        assertThat(skein.metrics().sockets().own()).isEqualTo(count);
        assertThat(skein.metrics().sockets().ordinary()).isEqualTo(ordinaryBefore);
    }

    private static int numberFrom(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select 1")) {
            assertThat(result.next()).isTrue();
            return result.getInt(1);
        }
    }
}
