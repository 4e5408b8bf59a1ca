package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Action;
import io.skein.Awaiter;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Resumer;
import io.skein.Scope;
import io.skein.Skein;
import io.skein.Tasks;
import io.skein.internal.Budget;
import io.skein.internal.loom.Loom;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import io.skein.net.UdpSocket;
import io.skein.sync.Barrier;
import io.skein.sync.Broadcast;
import io.skein.sync.Channel;
import io.skein.sync.Event;
import io.skein.sync.Futures;
import io.skein.sync.Latch;
import io.skein.sync.Mutex;
import io.skein.sync.Once;
import io.skein.sync.Select;
import io.skein.sync.Semaphore;
import io.skein.sync.SharedMutex;
import io.skein.sync.Subscription;
import io.skein.sync.ValueEvent;
import io.skein.sync.WaitGroup;
import io.skein.sync.Watch;
import io.skein.time.Interval;
import io.skein.time.MissedTicks;
import io.skein.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One worker, and a coroutine whose operations never have to wait: others run all the same, and so do timers. */
@Mode.OneWorker
class BudgetTest extends ModeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final int ROUNDS = 10 * Budget.OPERATIONS;

    /** What the coroutine has done so far. One worker runs everybody, so nobody else writes it meanwhile. */
    private int rounds;

    BudgetTest(Mode mode) {
        super(mode);
    }

    @BeforeEach
    void needsWorkersOfOurOwn() {
        assumeTrue(Loom.available(), "without the flags the JDK's scheduler decides who runs");
    }

    /** Something that never has to wait. */
    interface Loop {
        /** Returns one round of it. */
        Action prepare() throws Exception;
    }

    @SuppressWarnings({"ImmutableEnumChecker", "FutureReturnValueIgnored"}) // nobody waits for what it starts
    enum Family {
        SEND_UNBOUNDED(() -> {
            Channel<Integer> channel = Channel.unbounded();
            return () -> channel.send(1);
        }),
        SEND_CONFLATED(() -> {
            Channel<Integer> channel = Channel.conflated();
            return () -> channel.send(1);
        }),
        TRY_SEND(() -> {
            Channel<Integer> channel = Channel.buffered(1);
            return () -> channel.trySend(1);
        }),
        TRY_SEND_IN_TIME(() -> {
            Channel<Integer> channel = Channel.unbounded();
            return () -> channel.trySend(1, Duration.ofMinutes(1));
        }),
        RECEIVE(() -> full()::receive),
        TRY_RECEIVE(() -> full()::tryReceive),
        TRY_RECEIVE_NOTHING(() -> Channel.unbounded()::tryReceive),
        TRY_RECEIVE_IN_TIME(() -> {
            Channel<Integer> channel = full();
            return () -> channel.tryReceive(Duration.ofMinutes(1));
        }),
        ITERATE(() -> {
            Iterator<Integer> values = full().iterator();
            return values::next;
        }),
        SELECT(() -> {
            Channel<Integer> one = full();
            Channel<Integer> other = Channel.unbounded();
            Select<Integer> select = Select.of(Select.receive(one, value -> value), Select.send(other, 1, () -> 1));
            return select::await;
        }),
        SELECT_OTHERWISE(() -> {
            Channel<Integer> empty = Channel.unbounded();
            Select<Integer> select = Select.of(Select.receive(empty, value -> value), Select.otherwise(() -> 0));
            return select::await;
        }),
        BROADCAST(() -> {
            Broadcast<Integer> broadcast = Broadcast.dropping(1);
            return () -> broadcast.send(1);
        }),
        TRY_BROADCAST(() -> {
            Broadcast<Integer> broadcast = Broadcast.dropping(1);
            return () -> broadcast.trySend(1);
        }),
        SUBSCRIPTION(() -> {
            Broadcast<Integer> broadcast = Broadcast.waiting(2 * ROUNDS);
            Subscription<Integer> subscription = broadcast.subscribe();
            for (int i = 0; i < 2 * ROUNDS; i++) {
                broadcast.trySend(1);
            }
            return subscription::receive;
        }),
        WATCH(() -> {
            Watch<Integer> watch = Watch.of(1);
            return () -> watch.set(2);
        }),
        WATCHER(() -> {
            Watch.Watcher<Integer> watcher = Watch.of(1).watcher();
            return watcher::tryReceive;
        }),
        MUTEX(() -> {
            Mutex mutex = new Mutex();
            return () -> mutex.withLock(() -> {});
        }),
        MUTEX_TRIED(() -> {
            Mutex mutex = new Mutex();
            return mutex::tryLock;
        }),
        MUTEX_UNINTERRUPTIBLY(() -> {
            Mutex mutex = new Mutex();
            return () -> {
                mutex.lockUninterruptibly();
                mutex.unlock();
            };
        }),
        SEMAPHORE(() -> {
            Semaphore semaphore = new Semaphore(1);
            return () -> semaphore.withPermit(() -> {});
        }),
        SEMAPHORE_TRIED(() -> {
            Semaphore semaphore = new Semaphore(0);
            return semaphore::tryAcquire;
        }),
        SHARED_MUTEX(() -> {
            SharedMutex mutex = new SharedMutex();
            return () -> mutex.withShared(() -> {});
        }),
        SHARED_MUTEX_EXCLUSIVELY(() -> {
            SharedMutex mutex = new SharedMutex();
            return () -> mutex.withExclusive(() -> {});
        }),
        EVENT(() -> {
            Event event = new Event();
            event.set();
            return event::await;
        }),
        EVENT_SET(() -> {
            Event event = new Event();
            return event::set;
        }),
        VALUE_EVENT(() -> {
            ValueEvent<Integer> event = new ValueEvent<>();
            event.set(1);
            return event::await;
        }),
        LATCH(() -> new Latch(0)::await),
        WAIT_GROUP(() -> new WaitGroup()::await),
        WAIT_GROUP_COUNTED(() -> {
            WaitGroup group = new WaitGroup();
            group.add();
            return () -> {
                group.add();
                group.done();
            };
        }),
        ONCE(() -> Once.of(() -> 1)::get),
        BARRIER(() -> new Barrier(1)::await),
        AWAITER(() -> {
            Awaiter<Integer> ready = new Awaiter<>() {
                @Override
                public boolean suspend(Resumer resumer) {
                    return false;
                }

                @Override
                public Integer resume() {
                    return 1;
                }
            };
            return ready::await;
        }),
        FUTURE(() -> {
            CompletableFuture<Integer> done = CompletableFuture.completedFuture(1);
            return () -> Futures.await(done);
        }),
        JOIN(() -> {
            Coroutine<Integer> ended = Skein.current().spawn(() -> 1);
            ended.join();
            return ended::join;
        }),
        WHEN_ANY(() -> {
            Coroutine<Integer> ended = Skein.current().spawn(() -> 1);
            ended.join();
            return () -> Tasks.whenAny(ended);
        }),
        SPAWN(() -> {
            Skein skein = Skein.current();
            return () -> skein.spawn(() -> {});
        }),
        SLEEP(() -> () -> Time.sleep(Duration.ZERO)),
        TICKS_MISSED(() -> {
            Interval interval = Time.interval(Duration.ofNanos(1));
            return interval::tick;
        });

        private final Loop loop;

        Family(Loop loop) {
            this.loop = loop;
        }

        private static Channel<Integer> full() {
            Channel<Integer> channel = Channel.unbounded();
            for (int i = 0; i < 2 * ROUNDS; i++) {
                channel.trySend(i);
            }
            return channel;
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void othersRunBetweenOperationsThatNeverWait(Family family) throws Exception {
        assertThat(longestUndisturbed(() -> repeat(family.loop.prepare()))).isLessThanOrEqualTo(Budget.OPERATIONS);
    }

    @Test
    void othersRunBetweenTheItemsOfAParallel() throws Exception {
        assertThat(longestUndisturbed(() -> Tasks.parallel(Collections.nCopies(ROUNDS, 1), 1, _ -> rounds++)))
                .isLessThanOrEqualTo(Budget.OPERATIONS);
    }

    @Test
    void othersRunBetweenTheItemsOfAParallelWithSeveralLanes() throws Exception {
        assertThat(longestUndisturbed(() -> Tasks.parallel(Collections.nCopies(ROUNDS, 1), 3, _ -> rounds++)))
                .isLessThanOrEqualTo(4 * Budget.OPERATIONS); // the lanes take turns with the observer
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // the scope waits
    void othersRunBetweenForks() throws Exception {
        assertThat(longestUndisturbed(() -> {
                    try (var scope = Scope.open()) {
                        repeat(() -> scope.fork(() -> {}));
                        scope.join();
                    }
                }))
                .isLessThanOrEqualTo(Budget.OPERATIONS);
    }

    @Test
    void othersRunBetweenReadsThatFindBytes() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT);
                    TcpStream writer = TcpStream.connect(listener.localAddress());
                    TcpStream reader = listener.accept()) {
                writer.write(ByteBuffer.allocate(ROUNDS));
                ByteBuffer one = ByteBuffer.allocate(1);
                assertThat(longestUndisturbed(() -> repeat(() -> reader.read(one.clear()))))
                        .isLessThanOrEqualTo(Budget.OPERATIONS);
            }
        });
    }

    @Test
    void othersRunBetweenWritesThatNeedNotWait() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind(ANY_PORT);
                    TcpStream writer = TcpStream.connect(listener.localAddress());
                    TcpStream _ = listener.accept()) {
                ByteBuffer one = ByteBuffer.allocate(1);
                assertThat(longestUndisturbed(() -> repeat(() -> writer.write(one.clear()))))
                        .isLessThanOrEqualTo(Budget.OPERATIONS);
            }
        });
    }

    @Test
    void othersRunBetweenDatagramsThatAreSent() throws Exception {
        skein.blockOn(() -> {
            try (UdpSocket receiver = UdpSocket.bind(ANY_PORT);
                    UdpSocket sender = UdpSocket.bind(ANY_PORT)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                assertThat(longestUndisturbed(() -> repeat(() -> sender.send(one.clear(), receiver.localAddress()))))
                        .isLessThanOrEqualTo(Budget.OPERATIONS);
            }
        });
    }

    @Test
    void othersRunBetweenAccepts() throws Exception {
        skein.blockOn(() -> {
            List<TcpStream> open = new ArrayList<>();
            try (TcpListener listener = TcpListener.bind(ANY_PORT)) {
                for (int i = 0; i < 2 * Budget.OPERATIONS; i++) {
                    open.add(TcpStream.connect(listener.localAddress()));
                }
                int longest = longestUndisturbed(() -> {
                    for (int i = 0; i < 2 * Budget.OPERATIONS; i++) {
                        open.add(listener.accept());
                        rounds++;
                    }
                });
                assertThat(longest).isLessThanOrEqualTo(Budget.OPERATIONS);
            } finally {
                open.forEach(TcpStream::close);
            }
        });
    }

    @Test
    void aTimerFiresWhileAParallelIsBusyWithLongItems() throws Exception {
        int items = 100;
        AtomicBoolean over = new AtomicBoolean();
        Coroutine<Integer> ticker = skein.spawn(() -> {
            Interval every = Time.interval(Duration.ofMillis(5), MissedTicks.SKIP);
            int ticks = 0;
            while (!over.get()) {
                every.tick();
                ticks++;
            }
            return ticks;
        });

        skein.blockOn(() -> {
            Tasks.parallel(Collections.nCopies(items, 1), 2, item -> {
                for (long end = System.nanoTime() + 1_000_000; System.nanoTime() < end; ) {
                    Thread.onSpinWait();
                }
                return item;
            });
            over.set(true);
        });

        assertThat(ticker.join()).isGreaterThan(items / 5 / 4);
    }

    @Test
    void aTimerFiresWhileAChannelIsNeverEmpty() throws Exception {
        Channel<Integer> channel = Channel.unbounded();
        channel.send(1);

        skein.blockOn(() -> {
            AtomicBoolean fired = new AtomicBoolean();
            Coroutine<?> sleeper = skein.spawn(() -> {
                Time.sleep(Duration.ofMillis(1));
                fired.set(true);
            });
            while (!fired.get()) { // for ever, if the loop keeps the worker
                channel.send(channel.receive());
            }
            sleeper.join();
        });
    }

    @Test
    void anInterruptStatusIsLeftAsItIs() throws Exception {
        boolean interrupted = skein.blockOn(() -> {
            Channel<Integer> channel = Channel.unbounded();
            Coroutine<?> other = skein.spawn(() -> {});
            Thread.currentThread().interrupt();
            repeat(() -> channel.send(1));
            boolean kept = Thread.interrupted();
            other.join();
            return kept;
        });

        assertThat(interrupted).isTrue();
    }

    private void repeat(Action round) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            round.run();
            rounds++;
        }
    }

    /** Runs a loop beside a coroutine that yields all the time, and returns how many rounds passed at most between its runs. */
    private int longestUndisturbed(Action loop) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Coroutine<Integer> observer = skein.spawn(() -> {
            int longest = 0;
            for (int before = rounds; !over.get(); before = rounds) {
                Coroutine.yieldNow();
                longest = Math.max(longest, rounds - before);
            }
            return longest;
        });
        Coroutine<?> looping = skein.spawn(() -> {
            loop.run();
            over.set(true);
        });
        looping.join();
        return observer.join();
    }
}
