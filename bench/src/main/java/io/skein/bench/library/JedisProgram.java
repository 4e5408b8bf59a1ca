package io.skein.bench.library;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Jedis with a pool: each command borrows a connection, of which there are as many as threads. It sets and gets in turn. */
final class JedisProgram {
    private static final String KEY = "key";
    private static final String VALUE = "x".repeat(100);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private JedisProgram() {}

    static LibraryServer.Program start(Threads threads) throws IOException {
        String name = LibraryServer.nameOf(RedisClient.class);
        return new ClientProgram(threads, name, (port, users) -> open(threads, port, users));
    }

    private static ClientProgram.Client open(Threads threads, int port, int users) {
        JedisSocketFactory sockets = () -> {
            try {
                return threads.sockets().createSocket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException failure) {
                throw new JedisConnectionException(failure);
            }
        };
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(users);
        pool.setMaxIdle(users);
        pool.setMaxWait(LONGEST_WAIT);
        ConnectionFactory connections = new ConnectionFactory(
                sockets, DefaultJedisClientConfig.builder().build());
        RedisClient redis = RedisClient.builder()
                .connectionProvider(new PooledConnectionProvider(connections, pool))
                .build();
        return new SetAndGet(redis);
    }

    private record SetAndGet(RedisClient redis) implements ClientProgram.Client {
        @Override
        public void ask() throws IOException {
            redis.set(KEY, VALUE);
            String got = redis.get(KEY);
            if (!VALUE.equals(got)) {
                throw new IOException("Redis has '" + got + "' for what was set");
            }
        }

        @Override
        public void close() {
            redis.close();
        }
    }
}
