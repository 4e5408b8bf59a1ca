package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.PinnedBy;
import io.skein.Scheduling;
import io.skein.Skein;
import io.skein.internal.loom.Loom;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import io.skein.sync.Channel;
import io.skein.time.Time;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** While every worker is held, what is queued is run all the same, because it may be what the holders wait for. */
@ParameterizedClass(name = "{0} workers, {1}")
@MethodSource("modes")
@ExtendWith(LeakCheck.class)
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // a failure of those that nobody joins would be seen by the others
class ReliefTest {
    /** What keeps a worker: each waits for the latch by no means of Skein's. */
    enum Hold {
        COMPUTING {
            @Override
            void until(CountDownLatch released) {
                while (released.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
        },
        NATIVE_FRAME {
            @Override
            void until(CountDownLatch released) throws Exception {
                PinnedBy.NATIVE_FRAME.run(released::await);
            }
        },
        CLASS_INITIALISER {
            @Override
            void until(CountDownLatch released) throws Exception {
                PinnedBy.CLASS_INITIALISER.run(released::await);
            }
        };

        abstract void until(CountDownLatch released) throws Exception;
    }

    @Parameter(0)
    int workers;

    @Parameter(1)
    Hold hold;

    private final CountDownLatch released = new CountDownLatch(1);
    private final List<Coroutine<?>> holders = new ArrayList<>();
    private Skein skein;

    static Stream<Arguments> modes() {
        return Stream.of(1, 2, 8).flatMap(workers -> Stream.of(Hold.values()).map(hold -> Arguments.of(workers, hold)));
    }

    @BeforeEach
    void start() {
        assumeTrue(Loom.available(), "without the flags the JDK's scheduler decides who runs");
        skein = new Mode(Scheduling.STEALING, workers).builder().start();
    }

    @AfterEach
    void close() {
        released.countDown();
        if (skein != null) {
            skein.close();
        }
    }

    /** Holds every worker. Each holder begins when those before it run, so that no two are queued at one worker. */
    private void holdAll() {
        for (int i = 0; i < workers; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            holders.add(skein.spawn(() -> {
                begun.countDown();
                hold.until(released);
            }));
            Await.until("a holder runs", () -> begun.getCount() == 0);
        }
    }

    @Test
    void aCoroutineThatTheHoldersWaitForIsRun() throws Exception {
        holdAll();

        skein.spawn(released::countDown).join();

        for (Coroutine<?> holder : holders) {
            holder.join();
        }
    }

    @Test
    void whatItSpawnsAndWaitsForIsRunToo() throws Exception {
        holdAll();

        int sum = skein.spawn(() -> {
                    Channel<Integer> channel = Channel.rendezvous();
                    Coroutine<Void> sender = skein.spawn(() -> {
                        for (int i = 1; i <= 100; i++) {
                            channel.send(i);
                        }
                    });
                    int received = 0;
                    for (int i = 0; i < 100; i++) {
                        received += channel.receive();
                    }
                    sender.join();
                    return received;
                })
                .join();

        assertThat(sum).isEqualTo(5050);
    }

    @Test
    void aTickerTicks() throws Exception {
        holdAll();

        skein.spawn(() -> {
                    for (int tick = 0; tick < 20; tick++) {
                        Time.sleep(Duration.ofMillis(1));
                    }
                })
                .join();
    }

    @Test
    void aLimitOnTimeEndsWhatRunsMeanwhile() throws Exception {
        holdAll();

        boolean late = skein.spawn(() -> {
                    try {
                        Time.timeout(Duration.ofMillis(1), () -> new CountDownLatch(1).await());
                        return false;
                    } catch (TimeoutException e) {
                        return true;
                    }
                })
                .join();

        assertThat(late).isTrue();
    }

    @Test
    void whatReadsAndWritesMeanwhileGoesOnWhenAWorkerIsFree() throws Exception {
        holdAll();
        CountDownLatch begun = new CountDownLatch(1);

        Coroutine<Integer> echoed = skein.spawn(() -> {
            try (TcpListener listener = TcpListener.bind("127.0.0.1", 0)) {
                begun.countDown();
                return echo(listener);
            }
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        released.countDown();

        assertThat(echoed.join()).isEqualTo(7);
    }

    private int echo(TcpListener listener) throws Exception {
        InetSocketAddress address = listener.localAddress();
        Coroutine<Void> client = skein.spawn(() -> {
            try (TcpStream stream = TcpStream.connect(address)) {
                stream.write(ByteBuffer.wrap(new byte[] {7}));
            }
        });
        ByteBuffer one = ByteBuffer.allocate(1);
        try (TcpStream stream = listener.accept()) {
            stream.read(one);
        }
        client.join();
        return one.get(0);
    }

    @Test
    void whatAHolderSpawnsIsRunIfThereAreThieves() throws Exception {
        if (workers == 1) {
            return; // nobody may take from the queues of a worker that is alone
        }
        for (int i = 1; i < workers; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            skein.spawn(() -> {
                begun.countDown();
                hold.until(released);
            });
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        }

        skein.spawn(() -> {
                    for (int i = 0; i < 10; i++) {
                        skein.spawn(() -> {});
                    }
                    skein.spawn(released::countDown);
                    hold.until(released);
                })
                .join();
    }
}
