package io.skein.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Tasks;
import io.skein.sync.Channel;
import io.skein.sync.Event;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.params.ClientKillParams;

/** Redis through Jedis, which is given Skein's sockets. */
@IntegrationTest.EachDriver
@Timeout(120)
class RedisTest extends IntegrationTest {
    @RegisterExtension
    static final SharedServer<RedisServer> SERVER = new SharedServer<>(RedisServer::start);

    RedisTest(DriverKind driver) {
        super(driver);
    }

    private Jedis connect() {
        JedisSocketFactory sockets = () -> {
            try {
                return skein.socketFactory()
                        .createSocket("127.0.0.1", SERVER.get().port());
            } catch (IOException e) {
                throw new JedisConnectionException(e);
            }
        };
        return new Jedis(sockets);
    }

    @Test
    void twentyCoroutinesPipelineAThousandCommandsEach() throws Exception {
        List<Long> sums = skein.blockOn(
                () -> Tasks.parallel(IntStream.range(0, 20).boxed().toList(), 20, this::addUpInOneGo));

        assertThat(sums).hasSize(20).containsOnly(500L * 501 / 2);
    }

    private long addUpInOneGo(int key) {
        try (Jedis redis = connect()) {
            redis.del("sum-" + key);
            List<Response<Long>> answers = new ArrayList<>();
            try (Pipeline pipeline = redis.pipelined()) {
                for (int i = 1; i <= 500; i++) {
                    pipeline.set("number-" + key, Integer.toString(i));
                    answers.add(pipeline.incrBy("sum-" + key, i));
                }
                pipeline.sync();
            }
            return answers.getLast().get();
        }
    }

    @Test
    void aPlatformThreadUsesTheSameSockets() throws Exception {
        FutureTask<Long> task = new FutureTask<>(() -> addUpInOneGo(100));
        Thread.ofPlatform().start(task);

        assertThat(task.get()).isEqualTo(125_250L);
    }

    @Test
    void aSubscriberHearsWhatIsPublished() throws Exception {
        skein.blockOn(() -> {
            Channel<String> heard = Channel.unbounded();
            Event subscribed = new Event();
            JedisPubSub ear = new JedisPubSub() {
                @Override
                public void onSubscribe(String channel, int count) {
                    subscribed.set();
                }

                @Override
                public void onMessage(String channel, String message) {
                    heard.trySend(message);
                }
            };
            Coroutine<?> subscriber = skein.spawn(() -> {
                try (Jedis redis = connect()) {
                    redis.subscribe(ear, "news");
                }
            });
            subscribed.await();

            try (Jedis redis = connect()) {
                for (int i = 0; i < 100; i++) {
                    assertThat(redis.publish("news", "item " + i)).isEqualTo(1);
                }
            }

            for (int i = 0; i < 100; i++) {
                assertThat(heard.receive()).isEqualTo("item " + i);
            }
            ear.unsubscribe();
            subscriber.join();
        });
    }

    @Test
    void aConnectionThatTheServerKillsEndsItsWaitAndNoOther() throws Exception {
        skein.blockOn(() -> {
            try (Jedis victim = connect();
                    Jedis other = connect()) {
                long id = victim.clientId();
                Coroutine<?> waiting = skein.spawn(() -> {
                    assertThatExceptionOfType(JedisConnectionException.class)
                            .isThrownBy(() -> victim.blpop(0, "never-pushed"));
                });
                while (!other.clientList(id).contains("cmd=blpop")) {
                    Coroutine.yieldNow();
                }

                assertThat(other.clientKill(new ClientKillParams().id(Long.toString(id))))
                        .isEqualTo(1);

                waiting.join();
                assertThat(other.ping()).isEqualTo("PONG");
            }
        });
    }

    @Test
    void aCommandThatTakesTooLongTimesOut() throws Exception {
        skein.blockOn(() -> {
            try (Jedis redis = connect()) {
                redis.ping(); // only now is it connected, and takes over the timeout of its socket
                redis.getClient().setSoTimeout(50);
                assertThatExceptionOfType(JedisConnectionException.class)
                        .isThrownBy(() -> redis.getClient()
                                .executeCommand(new CommandArguments(Protocol.Command.BLPOP)
                                        .add("never-pushed")
                                        .add(0)))
                        .withRootCauseInstanceOf(SocketTimeoutException.class);
            }
        });
    }
}
