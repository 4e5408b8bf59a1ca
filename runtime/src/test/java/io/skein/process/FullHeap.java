package io.skein.process;

import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.internal.Suspension;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import io.skein.sync.Channel;
import io.skein.sync.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/** A program whose heap is full, for a moment again and again or until somebody fails. It says how that went, line by line. */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for those whom it spawns
final class FullHeap {
    private static final int PAIRS = 20;
    private static final int CHUNK = 10_000;
    private static final int CRUMB = 100;

    private static final int RESERVE = 4_000_000;
    /** Of a stack that no memory is found for where even the smallest object finds none. */
    private static final int DEPTH = 2_000;

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long TRIAL_NANOS = 3_000_000_000L;
    private static final Duration TO_CLOSE = Duration.ofSeconds(20);

    /** So that the compiler does not drop what is kept. */
    private static volatile Object kept;

    private FullHeap() {}

    /**
     * Runs a scenario.
     *
     * @param arguments its name, the driver, the number of workers, and for how many milliseconds
     */
    public static void main(String[] arguments) throws Exception {
        Skein skein = Skein.builder()
                .driver(DriverKind.valueOf(arguments[1]))
                .workers(Integer.parseInt(arguments[2]))
                .watchdog(Duration.ZERO) // a report of a deep stack takes memory, and lets go of it
                .start();
        switch (arguments[0]) {
            case "moments" -> moments(skein, Integer.parseInt(arguments[3]));
            case "body" -> body(skein);
            case "spawning" -> spawning(skein);
            case "waiting" -> waiting(skein);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println(skein.close(TO_CLOSE) ? "closed" : "stuck at close");
        System.exit(0);
    }

    // One coroutine takes all there is.

    private static void body(Skein skein) throws InterruptedException {
        Coroutine<Integer> bystander = skein.spawn(() -> {
            int naps = 0;
            while (kept == null) {
                Thread.sleep(1);
                naps++;
            }
            return naps;
        });
        try {
            skein.blockOn(() -> {
                Object[] newest = null;
                while (true) {
                    newest = new Object[] {newest, new byte[CHUNK]};
                }
            });
        } catch (OutOfMemoryError | CompletionException e) {
            System.out.println("failed with " + e);
        }
        kept = "over";
        System.out.println(bystander.join() > 0 ? "the bystander went on" : "the bystander never ran");
    }

    // Somebody spawns coroutines that wait, until there is no memory for the next.

    private static void spawning(Skein skein) throws InterruptedException {
        Event over = new Event();
        AtomicInteger started = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        kept = new byte[RESERVE];
        try {
            skein.blockOn(() -> {
                while (true) {
                    byte[] own = new byte[CHUNK];
                    skein.spawn(() -> waitWith(own, over, ended));
                    started.incrementAndGet();
                }
            });
        } catch (OutOfMemoryError | CompletionException e) {
            kept = null; // a line takes memory, too
            System.out.println("failed with " + e);
        }
        over.set();
        while (ended.get() < started.get()) { // the test that started this program has a bound
            LockSupport.parkNanos(1_000_000);
        }
        System.out.println(ended.get() == started.get() ? "all have ended" : "one ran that was not started");
    }

    private static void waitWith(byte[] own, Event over, AtomicInteger ended) throws InterruptedException {
        try {
            over.await();
            own[0] = 1;
        } catch (OutOfMemoryError e) {
            // there may be none even to wait
        } finally {
            ended.incrementAndGet();
        }
    }

    // One coroutine waits deep in its stack, which there is no memory to put aside, and nobody else lets go of any.

    /** A wait that takes no memory. */
    private static final class Wait extends Suspension {
        void untilResumed() {
            begin();
            await();
        }
    }

    /** Written and read without memory, which there is none of: how long the waiter has waited for its error. */
    private static volatile long waited;

    private static volatile boolean full;
    private static volatile boolean deep;

    private static void waiting(Skein skein) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (waited == 0 && System.nanoTime() - end < 0) {
            // A new coroutine for each trial: one that could wait before has a place for its stack.
            Wait wait = new Wait();
            full = false;
            deep = false;
            Coroutine<?> waiter = skein.spawn(() -> waitDeep(DEPTH, wait));
            while (!deep) {
                LockSupport.parkNanos(1_000_000);
            }
            fillUp();
            full = true;
            long trial = System.nanoTime() + TRIAL_NANOS;
            while (waited == 0 && System.nanoTime() - trial < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            kept = null;
            while (!waiter.isDone()) { // somebody had let go of some memory, and it could wait
                boolean _ = wait.resume();
                LockSupport.parkNanos(1_000_000);
            }
        }
        System.out.println("waited for its error: " + waited);
    }

    /** Takes all memory there is, until there is no piece left that would be large enough for that stack. */
    private static void fillUp() {
        Object newest = null;
        for (int size = CHUNK; size >= CRUMB; ) {
            try {
                Object[] next = new Object[size];
                next[0] = newest;
                newest = next;
                kept = next;
            } catch (OutOfMemoryError e) {
                size /= 2;
            }
        }
    }

    private static void waitDeep(int frames, Wait wait) {
        if (frames > 0) {
            waitDeep(frames - 1, wait);
            return;
        }
        deep = true;
        while (!full) {
            Thread.onSpinWait();
        }
        long start = System.nanoTime();
        try {
            wait.untilResumed();
        } catch (OutOfMemoryError e) {
            waited = System.nanoTime() - start;
        }
    }

    // The heap is full for a moment, again and again, while others work.

    /** Something that is done again and again, whether or not it fails for want of memory. */
    private interface Round {
        void play() throws Exception;
    }

    private static final class Players {
        private final Skein skein;
        private final List<String> names = new ArrayList<>();
        private final List<Coroutine<?>> coroutines = new ArrayList<>();
        private final AtomicIntegerArray rounds = new AtomicIntegerArray(4 * PAIRS);

        Players(Skein skein) {
            this.skein = skein;
        }

        /** Starts one who plays until there is an interrupt. */
        void start(String name, Round round) {
            int index = names.size();
            names.add(name);
            coroutines.add(skein.spawn(() -> {
                while (true) {
                    try {
                        round.play();
                        rounds.incrementAndGet(index);
                    } catch (OutOfMemoryError e) {
                        // the next round may find memory
                    }
                }
            }));
        }

        /** What the JDK knows of those who are stuck, for whoever has to find out why. */
        void describe(List<String> stuck) throws ReflectiveOperationException {
            for (String name : stuck) {
                Thread thread = coroutines.get(names.indexOf(name)).thread();
                StringBuilder text = new StringBuilder(name);
                for (String field : List.of("state", "parkPermit", "carrierThread", "interrupted", "timeoutTask")) {
                    var declared =
                            (field.equals("interrupted") ? Thread.class : thread.getClass()).getDeclaredField(field);
                    declared.setAccessible(true);
                    text.append(' ').append(field).append('=').append(declared.get(thread));
                }
                System.out.println(text);
            }
            System.out.println(skein.metrics());
        }

        int[] counts() {
            int[] counts = new int[names.size()];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = rounds.get(i);
            }
            return counts;
        }

        /** Whoever has played no round since, after some time. */
        List<String> stuckSince(int[] before) {
            long end = System.nanoTime() + 20_000_000_000L;
            List<String> stuck;
            do {
                LockSupport.parkNanos(10_000_000);
                stuck = new ArrayList<>();
                for (int i = 0; i < before.length; i++) {
                    if (rounds.get(i) == before[i]) {
                        stuck.add(names.get(i));
                    }
                }
            } while (!stuck.isEmpty() && System.nanoTime() - end < 0);
            return stuck;
        }
    }

    private static void moments(Skein skein, int millis) throws Exception {
        Players players = new Players(skein);
        try (TcpListener listener =
                TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (int i = 0; i < PAIRS; i++) {
                players.start("sleeper " + i, () -> Thread.sleep(1));
                startChannels(players, i);
                startEcho(players, i, skein, listener);
            }
            int full = fillAgainAndAgain(millis);
            List<String> stuck = players.stuckSince(players.counts());
            System.out.println("times full: " + full);
            System.out.println(stuck.isEmpty() ? "nobody is stuck" : "stuck: " + stuck);
            if (!stuck.isEmpty()) {
                players.describe(stuck);
            }
            skein.shutdownNow();
        }
    }

    private static void startChannels(Players players, int number) {
        Channel<Integer> there = Channel.buffered(1);
        Channel<Integer> back = Channel.buffered(1);
        players.start("partner " + number, () -> back.trySend(there.receive()));
        players.start("channel " + number, () -> {
            there.trySend(1); // there may be one already, from a round that failed
            back.receive();
        });
    }

    /** Each message has a number, so that an answer to a round that failed is not taken for another's. */
    private static void startEcho(Players players, int number, Skein skein, TcpListener listener) throws Exception {
        TcpStream client = TcpStream.connect(skein, listener.localAddress());
        TcpStream server = listener.accept();
        ByteBuffer request = ByteBuffer.allocate(Long.BYTES);
        ByteBuffer answer = ByteBuffer.allocate(Long.BYTES);
        ByteBuffer echoed = ByteBuffer.allocate(Long.BYTES);
        skein.spawn(() -> {
            while (fill(server, echoed)) {
                echoed.flip();
                drain(server, echoed);
                echoed.clear();
            }
        });
        long[] sent = {0};
        players.start("echo " + number, () -> {
            drain(client, request.clear().putLong(0, ++sent[0]));
            do {
                fill(client, answer.clear());
            } while (answer.getLong(0) != sent[0]);
        });
    }

    private static boolean fill(TcpStream stream, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            try {
                if (stream.read(buffer) < 0) {
                    return false;
                }
            } catch (OutOfMemoryError e) {
                // again
            }
        }
        return true;
    }

    private static void drain(TcpStream stream, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            try {
                stream.write(buffer);
            } catch (OutOfMemoryError e) {
                // again
            }
        }
    }

    /** Fills the heap for a while, leaves it to the others for a while, and so on. Returns how often. */
    private static int fillAgainAndAgain(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        int full = 0;
        while (System.nanoTime() - end < 0) {
            fillFor(60_000_000);
            full++;
            LockSupport.parkNanos(40_000_000);
        }
        return full;
    }

    private static void fillFor(long nanos) {
        Object[] newest = null;
        long since = 0;
        for (int size = CHUNK; since == 0 || System.nanoTime() - since < nanos; ) {
            try {
                Object[] next = new Object[size];
                next[0] = newest;
                newest = next;
                kept = next;
            } catch (OutOfMemoryError e) {
                since = since == 0 ? System.nanoTime() : since;
                size = Math.max(2, size / 2);
            }
        }
        kept = null;
    }
}
