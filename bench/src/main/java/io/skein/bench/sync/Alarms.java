package io.skein.bench.sync;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.time.Time;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Those who do something after a while, each on one thread or worker. One platform thread calls. */
interface Alarms extends AutoCloseable {
    /** Begins to wait soon, and then does something. */
    void set(Alarm alarm);

    @Override
    void close();

    static Alarms of(String contender) {
        return switch (contender) {
            case Contenders.SKEIN -> new OfSkein();
            case Contenders.JDK -> new OfVirtualThreads();
            case Contenders.JUC -> new OfPool();
            case Contenders.NETTY -> new OfNetty();
            default -> throw new IllegalArgumentException("'" + contender + "' has no timers");
        };
    }

    /** How long to wait, and what to do then. */
    interface Alarm {
        long nanos();

        /**
         * What to do.
         *
         * @param begun when the wait began, as {@link System#nanoTime} tells it
         */
        void ring(long begun);
    }

    /** Coroutines that sleep. */
    final class OfSkein implements Alarms {
        private final Skein skein = Skein.builder().workers(1).start();

        @Override
        public void set(Alarm alarm) {
            Coroutine<?> _ = skein.spawn(() -> {
                long begun = System.nanoTime();
                Time.sleep(Duration.ofNanos(alarm.nanos()));
                alarm.ring(begun);
            });
        }

        @Override
        public void close() {
            skein.close();
        }
    }

    /** Virtual threads of the JDK that sleep. */
    final class OfVirtualThreads implements Alarms {
        @Override
        public void set(Alarm alarm) {
            Thread.startVirtualThread(() -> {
                long begun = System.nanoTime();
                try {
                    Thread.sleep(Duration.ofNanos(alarm.nanos()));
                } catch (InterruptedException nobodyDoes) {
                    throw new AssertionError(nobodyDoes);
                }
                alarm.ring(begun);
            });
        }

        @Override
        public void close() {}
    }

    /** The JDK's pool for timers. */
    final class OfPool implements Alarms {
        private final ScheduledThreadPoolExecutor pool = ScheduledPools.ofOneThread();

        @Override
        public void set(Alarm alarm) {
            long begun = System.nanoTime();
            ScheduledFuture<?> _ = pool.schedule(() -> alarm.ring(begun), alarm.nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            pool.shutdownNow();
        }
    }

    /** Netty's wheel, with the shortest ticks that it takes. */
    final class OfNetty implements Alarms {
        private final HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);

        @Override
        public void set(Alarm alarm) {
            long begun = System.nanoTime();
            Timeout _ = wheel.newTimeout(timeout -> alarm.ring(begun), alarm.nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            wheel.stop();
        }
    }
}
