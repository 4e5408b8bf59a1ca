package io.skein.process;

import io.skein.Action;
import io.skein.CancelToken;
import io.skein.Coroutine;
import io.skein.Scope;
import io.skein.Skein;
import io.skein.net.ByteStream;
import io.skein.net.Lease;
import io.skein.net.NetworkSocket;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import io.skein.net.UdpSocket;
import io.skein.net.UnixListener;
import io.skein.net.UnixStream;
import io.skein.sync.Channel;
import io.skein.sync.Event;
import io.skein.sync.Mutex;
import io.skein.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A little of everything that a runtime does, in parts that do not depend on each other. Each part is a coroutine whose value is known
 * beforehand. Those who work for it are in a scope: if one fails, the others are cancelled, and the part fails. So a part that does
 * not end has lost somebody.
 */
@SuppressWarnings("FutureReturnValueIgnored") // their scope hears of them
final class MixedWork {
    private static final int CLIENTS = 3;
    private static final int MESSAGES = 4;
    private static final int BULK = 60_000;
    private static final int VALUES = 20;
    private static final Duration MOMENT = Duration.ofMillis(2);
    private static final Duration LONG = Duration.ofMinutes(10);

    /** A coroutine that was started, and what it is to return. */
    record Part(String name, Coroutine<Integer> coroutine, int expected) {}

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Skein skein;
    private final Path file;
    private final List<Part> parts = new ArrayList<>();
    private final Channel<Integer> inwards = Channel.buffered(2);
    private final Channel<Integer> outwards = Channel.buffered(2);

    private MixedWork(Skein skein, Path file) {
        this.skein = skein;
        this.file = file;
    }

    /** Makes a file that the work can send. */
    static Path file() throws IOException {
        Path file = Files.createTempFile("mixed-work", "");
        file.toFile().deleteOnExit();
        return Files.write(file, new byte[BULK]);
    }

    /** Starts all parts, and works along with the one that needs a thread from outside. Returns when that has ended. */
    static List<Part> play(Skein skein, Path file, long boundNanos) throws InterruptedException {
        MixedWork work = new MixedWork(skein, file);
        work.start("tcp", CLIENTS * (MESSAGES * 4 + 2 * BULK + 2), work::tcp);
        work.start("unix", 4, work::unix);
        work.start("ordinary", MESSAGES * 4, MixedWork::ordinary);
        work.start("library", VALUES, MixedWork::library);
        work.start("udp", VALUES, work::udp);
        work.start("sleep", VALUES, MixedWork::sleep);
        work.start("channel", VALUES * (VALUES - 1), MixedWork::channels);
        work.start("spawn", VALUES, work::spawn);
        work.start("timeout", 4, MixedWork::timeout);
        work.start("cancel", 3, work::cancel);
        work.start("mutex", 4 * VALUES, MixedWork::mutex);
        work.start("blocking", VALUES, MixedWork::blocking);
        work.start("outside", VALUES, work::inside);
        work.outside(boundNanos);
        return work.parts;
    }

    /** Opens a socket and closes it. */
    static void openAndClose(Skein skein) throws IOException {
        UdpSocket.bind(skein, anyPort()).close();
    }

    private void start(String name, int expected, Callable<Integer> body) {
        parts.add(new Part(name, skein.spawn(name, body), expected));
    }

    // Connections.

    private int tcp() throws Exception {
        try (TcpListener listener = TcpListener.bind(skein, anyPort());
                Surely _ = new Surely(listener);
                Scope<Integer, ?> scope = Scope.open()) {
            scope.fork("acceptor", () -> {
                for (int i = 0; i < CLIENTS; i++) {
                    TcpStream accepted = listener.accept();
                    try {
                        scope.fork("server", () -> serve(accepted));
                    } catch (Throwable e) {
                        surely(accepted::close);
                        throw e;
                    }
                }
            });
            List<Coroutine<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(scope.fork("client", () -> client(listener.localAddress())));
            }
            scope.join();
            return clients.stream().mapToInt(Coroutine::resultNow).sum();
        }
    }

    /** Closes a socket, which may be tried again where there was no memory for it. */
    private record Surely(NetworkSocket socket) implements AutoCloseable {
        @Override
        public void close() {
            surely(socket::close);
        }
    }

    /** Does something again until there is memory for it, and then fails if there was none before. */
    private static void surely(Runnable action) {
        OutOfMemoryError failure = null;
        while (true) {
            try {
                action.run();
                break;
            } catch (OutOfMemoryError e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Sends back what comes: the first as a lease, the rest by a buffer. */
    private static int serve(TcpStream accepted) throws IOException {
        try (accepted;
                Surely _ = new Surely(accepted)) {
            Lease lease = accepted.receive();
            try {
                if (lease.isEnd()) {
                    return 0;
                }
                accepted.send(lease);
            } finally {
                surely(lease::close);
            }
            return echo(accepted);
        }
    }

    private static int echo(ByteStream accepted) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(8_000);
        while (accepted.read(buffer.clear()) >= 0) {
            accepted.write(buffer.flip());
        }
        return 0;
    }

    private int unix() throws Exception {
        String name = "skein-mixed-work-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();
        try (UnixListener listener = UnixListener.bindAbstract(skein, name);
                Surely _ = new Surely(listener);
                Scope<Integer, ?> scope = Scope.open()) {
            scope.fork("unix server", () -> {
                try (UnixStream accepted = listener.accept();
                        Surely _ = new Surely(accepted)) {
                    return echo(accepted);
                }
            });
            Coroutine<Integer> client = scope.fork("unix client", () -> {
                try (UnixStream stream = UnixStream.connectAbstract(skein, name);
                        Surely _ = new Surely(stream)) {
                    stream.write(ByteBuffer.allocate(4));
                    return readFully(stream, ByteBuffer.allocate(4));
                }
            });
            scope.join();
            return client.resultNow();
        }
    }

    /**
     * Sockets of the JDK, whose pollers are guests on the workers. In {@code accept} the JDK loses the descriptor of a connection that comes
     * together with an interrupt. So no interrupt reaches the server there; what ends it is the close of its listener.
     */
    private static int ordinary() throws Exception {
        try (Scope<Integer, ?> scope = Scope.open();
                ServerSocketChannel listener = ServerSocketChannel.open().bind(anyPort())) {
            scope.fork("ordinary server", () -> {
                try (SocketChannel accepted = Coroutine.shielded(listener::accept)) {
                    ByteBuffer buffer = ByteBuffer.allocate(4);
                    while (accepted.read(buffer.clear()) >= 0) {
                        accepted.write(buffer.flip());
                    }
                }
            });
            Coroutine<Integer> client = scope.fork("ordinary client", () -> ordinaryClient(listener));
            scope.join();
            return client.resultNow();
        }
    }

    private static int ordinaryClient(ServerSocketChannel listener) throws IOException {
        try (SocketChannel stream = SocketChannel.open(listener.getLocalAddress())) {
            int sum = 0;
            for (int i = 0; i < MESSAGES; i++) {
                stream.write(ByteBuffer.allocate(4));
                sum += stream.read(ByteBuffer.allocate(4));
            }
            return sum;
        } catch (Throwable e) {
            listener.close();
            throw e;
        }
    }

    private int client(InetSocketAddress address) throws Exception {
        try (TcpStream stream = TcpStream.connect(skein, address);
                Surely _ = new Surely(stream)) {
            int sum = readsTooLate(stream) + cancelledRead(stream);
            ByteBuffer message = ByteBuffer.allocate(4);
            for (int i = 0; i < MESSAGES; i++) {
                stream.write(message.clear());
                sum += readFully(stream, message.clear());
            }
            return sum
                    + bulk(stream, () -> stream.write(ByteBuffer.allocateDirect(BULK)))
                    + bulk(stream, () -> stream.transferFrom(file, 0, BULK));
        }
    }

    private static int readsTooLate(TcpStream stream) throws IOException {
        stream.readTimeout(MOMENT);
        try {
            throw new EOFException("read " + stream.read(ByteBuffer.allocate(4)));
        } catch (SocketTimeoutException e) {
            return 1;
        } finally {
            stream.readTimeout(null);
        }
    }

    private int cancelledRead(TcpStream stream) throws InterruptedException {
        return cancelled("reader", () -> {
            int count = stream.read(ByteBuffer.allocate(4));
            throw new EOFException("read " + count);
        });
    }

    /** Sends much at once while a child reads what comes back. */
    private static int bulk(TcpStream stream, Action sending) throws Exception {
        try (Scope<Integer, ?> scope = Scope.open()) {
            Coroutine<Integer> reader =
                    scope.fork("bulk reader", () -> readFully(stream, ByteBuffer.allocateDirect(BULK)));
            sending.run();
            scope.join();
            return reader.resultNow();
        }
    }

    private static int readFully(ByteStream stream, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (stream.read(target) < 0) {
                throw new EOFException();
            }
        }
        return target.position();
    }

    private int udp() throws Exception {
        try (UdpSocket here = UdpSocket.bind(skein, anyPort());
                Surely _ = new Surely(here);
                UdpSocket there = UdpSocket.bind(skein, anyPort());
                Surely _ = new Surely(there);
                Scope<Integer, ?> scope = Scope.open()) {
            scope.fork("udp echo", () -> {
                ByteBuffer buffer = ByteBuffer.allocate(4);
                for (int i = 0; i < VALUES; i++) {
                    InetSocketAddress sender = there.receive(buffer.clear()).sender();
                    there.send(buffer.flip(), sender);
                }
            });
            Coroutine<Integer> asking = scope.fork("udp asking", () -> {
                int answers = 0;
                ByteBuffer buffer = ByteBuffer.allocate(4);
                for (int i = 0; i < VALUES; i++) {
                    here.send(buffer.clear().putInt(0, i), there.localAddress());
                    here.receive(buffer.clear());
                    answers += buffer.getInt(0) == i ? 1 : 0;
                }
                return answers;
            });
            scope.join();
            return asking.resultNow();
        }
    }

    // Time.

    private static int sleep() throws InterruptedException {
        for (int i = 0; i < VALUES / 2; i++) {
            TimeUnit.MICROSECONDS.sleep(100);
        }
        Channel<Integer> empty = Channel.rendezvous();
        for (int i = 0; i < VALUES / 2; i++) {
            empty.tryReceive(Duration.ofNanos(100_000));
        }
        return VALUES;
    }

    private static int timeout() throws Exception {
        return lateScope(Scope::join)
                + lateScope(scope -> scope.fork(() -> new Event().await()).join())
                + lateBody(() -> new Event().await())
                + lateBody(() -> TimeUnit.NANOSECONDS.sleep(LONG.toNanos()));
    }

    /** What the owner of a scope waits for while its time passes. */
    private interface OwnersWait {
        void in(Scope<Object, ?> scope) throws InterruptedException;
    }

    private static int lateScope(OwnersWait wait) throws InterruptedException {
        try (Scope<Object, ?> scope = Scope.open(Scope.Policy.allSucceed(), options -> options.withTimeout(MOMENT))) {
            scope.fork("late", () -> new Event().await());
            try {
                wait.in(scope);
            } catch (CancellationException e) {
                scope.join();
            }
            return 0;
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                return 1;
            }
            throw e;
        }
    }

    private static int lateBody(Action body) throws Exception {
        try {
            Time.timeout(MOMENT, body);
            return 0;
        } catch (TimeoutException e) {
            return 1;
        }
    }

    // Each other.

    private static int channels() throws Exception {
        Channel<Integer> met = Channel.rendezvous();
        Channel<Integer> kept = Channel.buffered(2);
        try (Scope<Integer, ?> scope = Scope.open()) {
            List<Coroutine<Integer>> receivers = new ArrayList<>();
            for (Channel<Integer> channel : List.of(met, kept)) {
                receivers.add(scope.fork("receiver", () -> {
                    int sum = 0;
                    for (int i = 0; i < VALUES; i++) {
                        sum += channel.receive();
                    }
                    return sum;
                }));
                scope.fork("sender", () -> {
                    for (int i = 0; i < VALUES; i++) {
                        channel.send(i);
                    }
                });
            }
            scope.join();
            return receivers.stream().mapToInt(Coroutine::resultNow).sum();
        }
    }

    private int spawn() throws Exception {
        int sum = 0;
        try (Scope<Integer, ?> scope = Scope.open()) {
            List<Coroutine<Integer>> children = new ArrayList<>();
            for (int i = 0; i < VALUES; i++) {
                children.add(scope.fork(() -> {
                    Coroutine.yieldNow();
                    return 1;
                }));
            }
            scope.join();
            for (Coroutine<Integer> child : children) {
                sum += child.resultNow();
            }
        }
        return skein.spawn(() -> 0).join() + sum;
    }

    private int cancel() throws InterruptedException {
        return cancelled("waiter", () -> new Event().await())
                + cancelled("sleeper", () -> TimeUnit.NANOSECONDS.sleep(LONG.toNanos()))
                + cancelled("told", MixedWork::waitUntilTold);
    }

    /** Goes on, and then ends by the interrupt, when a callback says that it is cancelled. */
    private static void waitUntilTold() throws InterruptedException {
        Event cancelled = new Event();
        CancelToken token = CancelToken.current();
        try (var _ = token.onCancel(() -> surely(cancelled::set))) {
            Coroutine.shielded(() -> cancelled.await());
            Coroutine.yieldNow();
            new Event().await();
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private int cancelled(String name, Action wait) throws InterruptedException {
        Coroutine<?> waiter = skein.spawn(name, wait);
        try {
            TimeUnit.MICROSECONDS.sleep(200); // so that it waits, most likely
        } finally {
            surely(() -> waiter.cancel(true));
        }
        try {
            waiter.join();
            return 0;
        } catch (CancellationException e) {
            return 1;
        }
    }

    private static int mutex() throws Exception {
        Mutex mutex = new Mutex();
        int[] count = {0};
        try (Scope<Integer, ?> scope = Scope.open()) {
            for (int i = 0; i < 4; i++) {
                scope.fork("owner", () -> {
                    for (int j = 0; j < VALUES; j++) {
                        mutex.withLock(() -> {
                            int before = count[0];
                            Coroutine.yieldNow();
                            count[0] = before + 1;
                        });
                    }
                });
            }
            scope.join();
        }
        return count[0];
    }

    // Other threads.

    /** Virtual threads that are started inside a coroutine, as libraries do. */
    private static int library() throws Exception {
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < VALUES / 5; i++) {
            FutureTask<Integer> task = new FutureTask<>(MixedWork::sleepAndWait);
            Thread.ofVirtual().name("library").start(task);
            tasks.add(task);
        }
        int sum = 0;
        for (FutureTask<Integer> task : tasks) {
            sum += task.get();
        }
        return sum;
    }

    private static int sleepAndWait() throws InterruptedException {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            TimeUnit.MICROSECONDS.sleep(100);
            sum += queue.poll(100, TimeUnit.MICROSECONDS) == null ? 1 : 0;
        }
        return sum;
    }

    private static int blocking() throws Exception {
        int sum = 0;
        for (int i = 0; i < VALUES; i++) {
            sum += Skein.blocking(() -> 1);
        }
        return sum;
    }

    private int inside() throws InterruptedException {
        int echoed = 0;
        for (int i = 0; i < VALUES; i++) {
            outwards.send(inwards.receive());
            echoed++;
        }
        return echoed;
    }

    /** Sends to {@link #inside} and receives from it, until that has ended or there is no time left. */
    private void outside(long boundNanos) throws InterruptedException {
        Coroutine<Integer> partner = parts.getLast().coroutine();
        long end = System.nanoTime() + boundNanos;
        for (int sent = 0, received = 0; received < VALUES; ) {
            if (sent < VALUES && inwards.trySend(sent)) {
                sent++;
            }
            if (outwards.tryReceive(MOMENT) != null) {
                received++;
            } else if (partner.isDone() || System.nanoTime() - end > 0) {
                return;
            }
        }
    }
}
