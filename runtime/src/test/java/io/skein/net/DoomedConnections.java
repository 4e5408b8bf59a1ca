package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Skein;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An echo server and many clients that echo without end, until each is killed at a random moment, from its own side
 * or from the server's, politely or not. Used by one test thread.
 */
final class DoomedConnections implements AutoCloseable {
    private static final int LONGEST_LIFE = 20;
    private static final int MESSAGE = 100;

    /** The ways to die. */
    private enum Kill {
        CLIENT_RESETS,
        CLIENT_CLOSES,
        CLIENT_IS_CANCELLED,
        SERVER_CLOSES,
        SERVER_IS_CANCELLED
    }

    /** A connection as the server sees it. */
    private record Served(TcpStream stream, Thread thread) {}

    private final Skein skein;
    private final Random random = new Random(17);
    private final ConcurrentHashMap<Integer, Served> servedByClientPort = new ConcurrentHashMap<>();
    private final AtomicInteger served = new AtomicInteger();
    private final EchoServer server;

    DoomedConnections(Skein skein) throws IOException {
        this.skein = skein;
        this.server = EchoServer.start(skein, NetworkTest.LOOPBACK, this::serve);
    }

    /** Opens connections, kills each of them, and returns when both sides of all have ended. */
    void killAll(int connections) throws Exception {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Kill kill = Kill.values()[random.nextInt(Kill.values().length)];
            clients.add(kill == Kill.CLIENT_RESETS ? new PlainClient(kill) : new StreamClient(kill));
        }
        clients.forEach(Client::startEchoing);
        Collections.shuffle(clients, random);
        for (Client client : clients) {
            int life = random.nextInt(LONGEST_LIFE);
            Await.until("a client echoes of which " + client.kill, () -> client.echoed.get() >= life, client.thread());
            client.kill();
        }
        for (Client client : clients) {
            Await.untilEnded("the client of which " + client.kill, client.thread());
        }
        Await.until("all handlers end", servedByClientPort::isEmpty);
        for (Client client : clients) {
            client.bury();
        }
    }

    /** Fails unless the server still serves. */
    void expectServerAtWork() throws Exception {
        skein.blockOn(() -> {
            try (TcpStream client = TcpStream.connect(server.address())) {
                NetworkTest.send(client, "hello");
                assertThat(NetworkTest.receive(client, 5)).isEqualTo("hello");
            }
        });
    }

    int served() {
        return served.get();
    }

    @Override
    public void close() {
        server.close();
    }

    private void serve(TcpStream stream) {
        Integer clientPort = stream.remoteAddress().getPort();
        servedByClientPort.put(clientPort, new Served(stream, Thread.currentThread()));
        served.incrementAndGet();
        try {
            EchoServer.echo(stream);
        } catch (IOException killed) {
            return;
        } finally {
            stream.close();
            servedByClientPort.remove(clientPort);
        }
    }

    /** One doomed connection. */
    private abstract static class Client {
        final Kill kill;
        final AtomicInteger echoed = new AtomicInteger();

        Client(Kill kill) {
            this.kill = kill;
        }

        abstract void startEchoing();

        abstract void kill() throws IOException;

        abstract Thread thread();

        /** Closes what a client that was killed before its first step did not come to close. */
        abstract void bury() throws IOException;
    }

    /** A socket of the JDK, which alone can send a reset at will. */
    private final class PlainClient extends Client {
        private final Socket socket = new Socket();
        private final Thread thread = Thread.ofVirtual().unstarted(this::echoUntilKilled);

        PlainClient(Kill kill) throws IOException {
            super(kill);
            socket.connect(server.address());
        }

        @Override
        void startEchoing() {
            thread.start();
        }

        private void echoUntilKilled() {
            byte[] message = new byte[MESSAGE];
            try {
                while (true) {
                    socket.getOutputStream().write(message);
                    if (socket.getInputStream().readNBytes(message, 0, MESSAGE) < MESSAGE) {
                        return;
                    }
                    echoed.incrementAndGet();
                }
            } catch (IOException killed) {
                return;
            }
        }

        @Override
        void kill() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        @Override
        Thread thread() {
            return thread;
        }

        @Override
        void bury() throws IOException {
            socket.close();
        }
    }

    /** A stream in a coroutine. */
    private final class StreamClient extends Client {
        private final TcpStream stream;
        private @Nullable Coroutine<?> coroutine;

        StreamClient(Kill kill) throws IOException {
            super(kill);
            stream = TcpStream.connect(skein, server.address());
        }

        @Override
        void startEchoing() {
            coroutine = skein.spawn("client " + kill, this::echoUntilKilled);
        }

        private Coroutine<?> coroutine() {
            return Objects.requireNonNull(coroutine, "not echoing yet");
        }

        private void echoUntilKilled() {
            ByteBuffer message = ByteBuffer.allocate(MESSAGE);
            try (stream) {
                while (true) {
                    stream.write(message.clear());
                    message.clear();
                    while (message.hasRemaining()) {
                        if (stream.read(message) < 0) {
                            return;
                        }
                    }
                    echoed.incrementAndGet();
                }
            } catch (IOException killed) {
                return;
            }
        }

        @Override
        void kill() {
            switch (kill) {
                case CLIENT_RESETS -> throw new IllegalStateException("a stream cannot reset");
                case CLIENT_CLOSES -> stream.close();
                case CLIENT_IS_CANCELLED -> coroutine().cancel(true);
                case SERVER_CLOSES -> servedHere().stream().close();
                case SERVER_IS_CANCELLED -> servedHere().thread().interrupt();
            }
        }

        private Served servedHere() {
            Integer port = stream.localAddress().getPort();
            Await.until("the connection is served", () -> servedByClientPort.containsKey(port));
            Served here = servedByClientPort.get(port);
            if (here == null) {
                throw new UncheckedIOException(new IOException("a connection ended before it was killed"));
            }
            return here;
        }

        @Override
        Thread thread() {
            return coroutine().thread();
        }

        @Override
        void bury() {
            stream.close();
        }
    }
}
