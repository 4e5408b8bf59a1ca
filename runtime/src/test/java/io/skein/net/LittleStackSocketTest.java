package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Action;
import io.skein.Await;
import io.skein.Coroutine;
import io.skein.LittleStack;
import io.skein.Rounds;
import io.skein.Setup;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A coroutine that runs out of stack in a call of a socket has made the call, or nothing has happened: the socket works on, its bytes are
 * right, and nobody is left waiting.
 */
@Setup.OnePerDriver
class LittleStackSocketTest extends NetworkTest {
    /** So many steps are taken after those that failed, one frame higher each time. */
    private static final int STEPS = 60;

    private static final int MANY_DESCENTS = 60;

    /** More than a small write or read. */
    private static final int LARGE = 40 * 1024;

    private final LittleStack littleStack = new LittleStack(STEPS);

    LittleStackSocketTest(Setup setup) {
        super(setup);
    }

    @BeforeEach
    @Override
    public void startRuntime() {
        skein = setup.builder()
                .name("skein-test")
                .stackSize(LittleStack.SIZE)
                .watchdog(Duration.ZERO)
                .failureHandler((_, failure) -> unheardFailures.add(failure))
                .start();
    }

    /** Takes a step in little stack, in a coroutine. */
    private void inLittleStack(Action step) throws InterruptedException {
        skein.blockOn(() -> littleStack.run(step));
        assertThat(littleStack.overflows()).isGreaterThan(littleStack.done());
    }

    /** How a message is written and its echo is read. */
    enum Way {
        HEAP(16, false) {
            @Override
            void write(TcpStream stream, ByteBuffer source) throws IOException {
                stream.write(source);
            }

            @Override
            void read(TcpStream stream, ByteBuffer target) throws IOException {
                stream.read(target);
            }
        },
        DIRECT(16, true) {
            @Override
            void write(TcpStream stream, ByteBuffer source) throws IOException {
                stream.write(source);
            }

            @Override
            void read(TcpStream stream, ByteBuffer target) throws IOException {
                stream.read(target);
            }
        },
        LARGE_HEAP(LARGE, false) {
            @Override
            void write(TcpStream stream, ByteBuffer source) throws IOException {
                stream.write(source);
            }

            @Override
            void read(TcpStream stream, ByteBuffer target) throws IOException {
                stream.read(target);
            }
        },
        SEVERAL_BUFFERS(16, false) {
            @Override
            void write(TcpStream stream, ByteBuffer source) throws IOException {
                stream.write(new ByteBuffer[] {source});
            }

            @Override
            void read(TcpStream stream, ByteBuffer target) throws IOException {
                stream.read(new ByteBuffer[] {target});
            }
        },
        LEASES(16, false) {
            @Override
            void write(TcpStream stream, ByteBuffer source) throws IOException {
                stream.write(source);
            }

            @Override
            void read(TcpStream stream, ByteBuffer target) throws IOException {
                try (Lease lease = stream.receive()) {
                    target.put(lease.bytes());
                }
            }
        },
        TIMEOUTS(16, false) {
            @Override
            void write(TcpStream stream, ByteBuffer source) throws IOException {
                stream.writeTimeout(Duration.ofMinutes(1));
                stream.write(source);
            }

            @Override
            void read(TcpStream stream, ByteBuffer target) throws IOException {
                stream.readTimeout(Duration.ofMinutes(1));
                stream.read(target);
            }
        };

        private final int length;
        private final boolean direct;

        Way(int length, boolean direct) {
            this.length = length;
            this.direct = direct;
        }

        abstract void write(TcpStream stream, ByteBuffer source) throws IOException;

        abstract void read(TcpStream stream, ByteBuffer target) throws IOException;

        ByteBuffer buffer() {
            return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        }
    }

    /** Messages that an echo answers, one after the other: whatever a step leaves undone, the next one does. */
    private static final class Dialogue {
        private final TcpStream stream;
        private final Way way;
        private final ByteBuffer message;
        private final ByteBuffer answer;
        private int number;

        /** Whether the message is there; set when nothing is left to do that may fail. */
        private boolean prepared;

        Dialogue(TcpStream stream, Way way) {
            this.stream = stream;
            this.way = way;
            this.message = way.buffer();
            this.answer = way.buffer();
        }

        void step() throws IOException {
            if (!prepared) {
                message.clear();
                message.putInt(0, number).putInt(message.capacity() - Integer.BYTES, number);
                answer.clear();
                prepared = true;
            }
            while (message.hasRemaining()) {
                way.write(stream, message);
            }
            while (answer.hasRemaining()) {
                way.read(stream, answer);
            }
            assertThat(answer.getInt(0)).isEqualTo(number);
            assertThat(answer.getInt(answer.capacity() - Integer.BYTES)).isEqualTo(number);
            number++;
            prepared = false;
        }
    }

    private Coroutine<?> echo(TcpStream stream) {
        return skein.spawn("echo", () -> {
            ByteBuffer buffer = ByteBuffer.allocate(LARGE);
            while (stream.read(buffer.clear()) >= 0) {
                stream.write(buffer.flip());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aStreamLosesNothing(Way way) throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> echo = echo(pair.server());
            Dialogue dialogue = new Dialogue(pair.client(), way);

            inLittleStack(dialogue::step);

            skein.blockOn(dialogue::step);
            pair.client().close();
            Await.until("the echo has ended", echo::isDone);
        }
    }

    @Tag("long")
    @Timeout(600)
    @ParameterizedTest
    @EnumSource
    void aStreamLosesNothingThoughItsCallsAreCompiled(Way way) throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> echo = echo(pair.server());
            Dialogue dialogue = new Dialogue(pair.client(), way);

            skein.blockOn(() -> {
                for (int i = 0; i < 20_000; i++) {
                    dialogue.step();
                }
                littleStack.run(dialogue::step, Rounds.of(MANY_DESCENTS));
            });

            pair.client().close();
            Await.until("the echo has ended", echo::isDone);
        }
    }

    @Test
    void aLeaseIsSentOrGivenBack() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> sender = skein.spawn("sender", () -> {
                ByteBuffer byteBuffer = ByteBuffer.allocate(1);
                while (pair.client().read(byteBuffer.clear()) >= 0) {}
            });
            byte[] sent = new byte[1];
            @Nullable Lease[] lease = new Lease[1];

            inLittleStack(() -> {
                Lease handed = lease[0];
                if (handed == null) {
                    if (sent[0] == 0) {
                        pair.client().write(ByteBuffer.wrap(new byte[] {1}));
                        sent[0] = 1;
                    }
                    handed = pair.server().receive();
                    lease[0] = handed;
                    sent[0] = 0;
                }
                lease[0] = null;
                pair.server().send(handed); // it is closed whether or not this fails
            });

            pair.server().close();
            Await.until("the sender has ended", sender::isDone);
        }
    }

    @Test
    void connectionsAreMadeWhollyOrNotAtAll() throws Exception {
        @Nullable TcpStream[] ends = new TcpStream[2];
        try (TcpListener listener = listen()) {
            inLittleStack(() -> {
                TcpStream client = ends[0];
                if (client == null) {
                    client = TcpStream.connect(listener.localAddress());
                    ends[0] = client;
                }
                TcpStream server = ends[1];
                if (server == null) {
                    server = listener.accept();
                    ends[1] = server;
                }
                assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
                client.close();
                server.close();
                ends[0] = null;
                ends[1] = null;
            });
        }
    }

    @Test
    void listenersAndDatagramSocketsAreOpenedWhollyOrNotAtAll() throws Exception {
        inLittleStack(() -> {
            TcpListener.bind(LOOPBACK).close();
            UdpSocket.bind(LOOPBACK).close();
        });
    }

    @Test
    void aCloseIsHeardByAll() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        List<Coroutine<?>> inside = new ArrayList<>();
        for (int i = 0; i < 2 * STEPS; i++) {
            Pair pair = pair();
            pairs.add(pair);
            inside.add(skein.spawn("reader", () -> assertClosed(pair.client())));
            inside.add(skein.spawn(
                    "peer",
                    () -> assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1)));
        }
        int[] next = new int[1];

        inLittleStack(() -> {
            if (next[0] < pairs.size()) {
                pairs.get(next[0]).client().close();
                next[0]++;
            }
        });

        pairs.forEach(pair -> pair.client().close());
        for (Coroutine<?> one : inside) {
            one.join();
        }
        pairs.forEach(Pair::close);
    }

    private static void assertClosed(TcpStream stream) throws IOException {
        try {
            assertThat(stream.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("closed");
        }
    }

    @Test
    void anOutputIsShutWhollyOrNotAtAll() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            pairs.add(pair());
        }
        int[] next = new int[1];

        inLittleStack(() -> {
            if (next[0] < pairs.size()) {
                TcpStream stream = pairs.get(next[0]).client();
                stream.shutdownOutput();
                stream.shutdownInput();
                next[0]++;
            }
        });

        for (Pair pair : pairs) {
            pair.client().shutdownOutput();
            assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            pair.close();
        }
    }

    @Test
    void optionsAndTheCountOfWhatHasComeCanBeAskedForAgain() throws Exception {
        try (Pair pair = pair()) {
            inLittleStack(() -> {
                pair.client().setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                assertThat(pair.client().getOption(StandardSocketOptions.SO_KEEPALIVE))
                        .isTrue();
            });
        }
    }

    @Test
    void datagramsAreSentAndReceivedWhollyOrNotAtAll() throws Exception {
        try (UdpSocket one = UdpSocket.bind(skein, LOOPBACK);
                UdpSocket other = UdpSocket.bind(skein, LOOPBACK)) {
            other.receiveTimeout(Duration.ofSeconds(5));
            ByteBuffer[] targets = {ByteBuffer.allocate(16), ByteBuffer.allocate(16), ByteBuffer.allocate(16)};
            int[] state = new int[3]; // how many were sent, are missing, and were received

            inLittleStack(() -> {
                if (state[1] == 0) {
                    one.send(bytes("one"), other.localAddress());
                    state[1] += 1;
                    one.sendAll(List.of(
                            new Datagram(bytes("two"), other.localAddress()),
                            new Datagram(bytes("three"), other.localAddress())));
                    state[1] += 2;
                }
                while (state[1] > 0) {
                    for (ByteBuffer target : targets) {
                        target.clear();
                    }
                    int count = state[1] == 1
                            ? other.receive(targets[0]).length() > 0 ? 1 : 0
                            : other.receiveMany(targets).size();
                    state[1] -= count;
                }
            });
        }
    }
}
