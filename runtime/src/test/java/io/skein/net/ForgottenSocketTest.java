package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.PinnedBy;
import io.skein.Setup;
import io.skein.Skein;
import io.skein.sched.CapturedLog;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets that nobody closes and nobody refers to any more. */
@Setup.OnePerDriver
class ForgottenSocketTest extends SeatTest {
    private static final int COUNT = 20;

    ForgottenSocketTest(Setup setup) {
        super(setup);
    }

    private static long openSockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(each -> {
                        try {
                            return Files.readSymbolicLink(each).toString().startsWith("socket:");
                        } catch (NoSuchFileException closedMeanwhile) {
                            return false;
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    })
                    .count();
        }
    }

    /** What comes to light when the collector has looked, and the runtime has opened and closed a socket. */
    private static void awaitAfterCollections(String what, Skein runtime, Callable<Boolean> condition) {
        Await.until(what, () -> {
            collect(runtime);
            return condition.call();
        });
    }

    private static void collect(Skein runtime) throws IOException {
        System.gc();
        UdpSocket.bind(runtime, LOOPBACK).close();
    }

    private static void collectSeveralTimes(Skein runtime) throws IOException {
        for (int i = 0; i < 5; i++) {
            collect(runtime);
        }
    }

    /** Opens some and forgets them. */
    private static void forget(int count, Body opening) throws Exception {
        for (int i = 0; i < count; i++) {
            opening.run();
        }
    }

    private void expectClosedWhenForgotten(User user, Body opening) throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            long before = openSockets();
            as(user, () -> forget(COUNT, opening));
            awaitAfterCollections("they are closed", skein, () -> openSockets() <= before);
            assertThat(log.linesWith("was never closed")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void streamsAreClosedWhoeverForgetsThem(User user) throws Exception {
        try (TcpListener listener = listen()) {
            expectClosedWhenForgotten(user, () -> {
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TcpStream server = listener.accept();
                send(client, "hello"); // something may stay armed from now on
                assertThat(receive(server, 5)).isEqualTo("hello");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void socketsForLibrariesAreClosed(User user) throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            expectClosedWhenForgotten(user, () -> {
                Socket client = skein.socketFactory().createSocket(HOST, listening.getLocalPort());
                Socket server = listening.accept();
                send(client, "hello");
                assertThat(receive(server, 5)).isEqualTo("hello");
            });
        }
    }

    @Test
    void theyAreFoundWhileOthersSendAndReceive() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 500, HOST);
                UdpSocket busy = UdpSocket.bind(skein, LOOPBACK)) {
            long before = openSockets();
            forget(3, () -> openForALibrary(skein, addressOf(listening)));
            Await.until("they are closed", () -> {
                System.gc();
                busy.send(bytes("hello"), busy.localAddress());
                busy.receive(ByteBuffer.allocate(5));
                return openSockets() <= before;
            });
        }
    }

    @Test
    void listenersAndDatagramSocketsAreClosed() throws Exception {
        expectClosedWhenForgotten(User.COROUTINE, () -> {
            TcpListener listener = listen();
            UdpSocket socket = UdpSocket.bind(skein, LOOPBACK);
            ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST);
            socket.send(bytes("hello"), socket.localAddress());
            assertThat(listener.localAddress().getPort()).isNotEqualTo(listening.getLocalPort());
        });
    }

    @Test
    void unixSocketsAndChannelsAreClosed(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("socket");
        try (UnixListener unix = UnixListener.bind(skein, path);
                TcpListener tcp = listen()) {
            expectClosedWhenForgotten(User.PLATFORM_THREAD, () -> {
                UnixStream client = UnixStream.connect(skein, path);
                SocketChannel channel = skein.openSocketChannel();
                channel.connect(tcp.localAddress());
                assertThat(unix.accept()).isNotSameAs(client);
                assertThat(tcp.accept().remoteAddress()).isEqualTo(channel.getLocalAddress());
            });
        }
    }

    @Test
    void whatIsReferredToByAViewOfItStaysOpen() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, HOST)) {
            InputStream in = skein.socketFactory()
                    .createSocket(HOST, listening.getLocalPort())
                    .getInputStream();
            InputStream view = TcpStream.connect(skein, new InetSocketAddress(HOST, listening.getLocalPort()))
                    .inputStream();
            try (Socket first = listening.accept();
                    Socket second = listening.accept()) {
                collectSeveralTimes(skein);
                send(first, "1");
                send(second, "2");
                assertThat(in.read()).isEqualTo('1');
                assertThat(view.read()).isEqualTo('2');
            }
            in.close();
            view.close();
        }
    }

    /** The reader uses its stream no more once it reads: a compiler may let go of it then. */
    @Test
    void whoeverIsInsideIsNotDisturbed() throws Exception {
        try (TcpListener listener = listen()) {
            Coroutine<Integer> reader = skein.spawn("reader", () -> {
                ByteBuffer target = ByteBuffer.allocate(5);
                return TcpStream.connect(listener.localAddress()).read(target);
            });
            Coroutine<TcpStream> acceptor = skein.spawn("acceptor", () -> listen().accept());
            try (TcpStream server = listener.accept()) {
                Await.untilWaiting(reader);
                Await.untilWaiting(acceptor);
                collectSeveralTimes(skein);
                send(server, "hello");
                assertThat(reader.join()).isEqualTo(5);
                assertThat(acceptor.isDone()).isFalse();
                acceptor.cancel(true);
                Await.untilEnded("the acceptor", acceptor.thread());
            }
        }
    }

    @Test
    void whatWasWrittenToAForgottenStreamArrives() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, HOST)) {
            InetSocketAddress address = addressOf(listening);
            skein.blockOn(() -> TcpStream.connect(address).write(bytes("hello")));
            try (Socket peer = listening.accept()) {
                Coroutine<byte[]> reader =
                        skein.spawn(() -> peer.getInputStream().readAllBytes());
                awaitAfterCollections("the end comes", skein, reader::isDone);
                assertThat(reader.join()).asString(StandardCharsets.UTF_8).isEqualTo("hello");
            }
        }
    }

    /** The one thread for blocking code, which tells of what was forgotten, does not wait for the one worker. */
    @Test
    void whoIsPinnedAndCallsBlockingCodeIsNotHeldUp() throws Exception {
        try (CapturedLog log = new CapturedLog();
                Skein small = setup.builder().workers(1).blockingThreads(1).start()) {
            small.blockOn(() -> {
                forget(1, () -> assertThat(UdpSocket.bind(LOOPBACK).isOpen()).isTrue());
                PinnedBy.CLASS_INITIALISER.run(() -> {
                    while (log.linesWith("was never closed").isEmpty()) {
                        collect(small);
                        assertThat(Skein.blocking(() -> "answer")).isEqualTo("answer");
                    }
                });
            });
        }
    }

    @Test
    void nothingIsSaidOfWhatWasClosed() throws Exception {
        try (CapturedLog log = new CapturedLog();
                TcpListener listener = listen()) {
            forget(COUNT, () -> {
                try (TcpStream client = TcpStream.connect(skein, listener.localAddress());
                        TcpStream server = listener.accept()) {
                    assertThat(client.isOpen() && server.isOpen()).isTrue();
                }
            });
            collectSeveralTimes(skein);
            assertThat(log.linesWith("was never closed")).isEmpty();
        }
    }

    @Test
    void whereTheyWereOpenedIsToldOncePerPlaceWhenThatIsWanted() throws Exception {
        System.setProperty("skein.leaks", "1");
        try (CapturedLog log = new CapturedLog();
                Skein tracing = setup.builder().start();
                ServerSocket listening = new ServerSocket(0, 500, HOST)) {
            long before = openSockets();
            InetSocketAddress address = addressOf(listening);
            tracing.blockOn(() -> forget(3, () -> openInACoroutine(address)));
            forget(3, () -> openForALibrary(tracing, address));

            awaitAfterCollections("they are closed", tracing, () -> openSockets() <= before);

            List<CapturedLog.Line> lines = log.linesWith("was never closed");
            assertThat(lines).hasSize(2);
            assertThat(log.linesWith("openInACoroutine"))
                    .singleElement()
                    .satisfies(line -> assertThat(line.message())
                            .startsWith("TcpStream 127.0.0.1:" + address.getPort())
                            .contains("opened here")
                            .doesNotContain("-Dskein.leaks"));
            assertThat(log.linesWith("openForALibrary"))
                    .singleElement()
                    .satisfies(line -> assertThat(line.message()).contains("asked for here"));
        } finally {
            System.clearProperty("skein.leaks");
        }
    }

    private static void openInACoroutine(InetSocketAddress address) throws IOException {
        assertThat(TcpStream.connect(address).isOpen()).isTrue();
    }

    private static void openForALibrary(Skein runtime, InetSocketAddress address) throws IOException {
        Socket socket = runtime.socketFactory().createSocket(address.getAddress(), address.getPort());
        assertThat(socket.isConnected()).isTrue();
    }

    @Test
    void otherwiseALineTellsHowToLearnIt() throws Exception {
        try (CapturedLog log = new CapturedLog();
                ServerSocket listening = new ServerSocket(0, 500, HOST)) {
            long before = openSockets();
            forget(3, () -> openForALibrary(skein, addressOf(listening)));
            awaitAfterCollections("they are closed", skein, () -> openSockets() <= before);
            assertThat(log.linesWith("was never closed"))
                    .singleElement()
                    .satisfies(line -> assertThat(line.message())
                            .endsWith("that are forgotten so")
                            .contains("-Dskein.leaks=1"));
        }
    }
}
