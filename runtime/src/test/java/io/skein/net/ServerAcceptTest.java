package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Setup;
import io.skein.Skein;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does when its listener fails, and when it does not. */
@Setup.OnePerDriver
class ServerAcceptTest extends NetworkTest {
    private final Queue<Throwable> heard = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    ServerAcceptTest(Setup setup) {
        super(setup);
    }

    /** A listener that fails in two of three accepts. */
    private static final class Faltering implements Server.Acceptor<TcpStream> {
        private final TcpListener listener;
        private final AtomicInteger tries = new AtomicInteger();

        Faltering(TcpListener listener) {
            this.listener = listener;
        }

        @Override
        public TcpStream accept() throws IOException {
            int number = tries.incrementAndGet();
            if (number % 3 != 0) {
                throw number % 3 == 1 ? new SocketException("odd") : new IOException("too many open files");
            }
            return listener.accept();
        }

        @Override
        public boolean isOpen() {
            return listener.isOpen();
        }

        @Override
        public void close() {
            listener.close();
        }
    }

    @Test
    void anOpenListenerThatFailsIsToldOfOnceAndTriedAgain() throws Exception {
        try (TcpListener listener = listen();
                Faltering faltering = new Faltering(listener);
                Server server = Server.serve(
                        skein,
                        faltering,
                        options -> options.withFailureHandler((_, failure) -> heard.add(failure)),
                        EchoServer::echo)) {
            expectEcho(listener);
            expectEcho(listener);

            assertThat(server.isServing()).isTrue();
            assertThat(faltering.tries).hasValueGreaterThanOrEqualTo(6);
            assertThat(heard)
                    .singleElement()
                    .isInstanceOf(SocketException.class)
                    .extracting(Throwable::getMessage)
                    .isEqualTo("odd");
        }
    }

    /** A listener whose accepts end in one of everything that can be thrown, before each that succeeds. */
    private static final class Exploding implements Server.Acceptor<TcpStream> {
        private static final List<Throwable> ALL = List.of(
                new InvalidPathException("x", "a peer's name"),
                new OutOfMemoryError("none for a stream"),
                new StackOverflowError(),
                new NoClassDefFoundError("x"));

        private final TcpListener listener;
        private int tries;

        Exploding(TcpListener listener) {
            this.listener = listener;
        }

        @Override
        public TcpStream accept() throws IOException {
            int number = tries++ % (ALL.size() + 1);
            if (number < ALL.size()) {
                switch (ALL.get(number)) {
                    case RuntimeException e -> throw e;
                    case Error e -> throw e;
                    case Throwable e -> throw new AssertionError(e);
                }
            }
            return listener.accept();
        }

        @Override
        public boolean isOpen() {
            return listener.isOpen();
        }

        @Override
        public void close() {
            listener.close();
        }
    }

    @Test
    void whateverAnAcceptThrowsThoseWhoAreServedGoOnAndTheNextIsAccepted() throws Exception {
        try (TcpListener listener = listen();
                Server server = Server.serve(
                        skein,
                        new Exploding(listener),
                        options -> options.withFailureHandler((_, failure) -> heard.add(failure)),
                        EchoServer::echo);
                TcpStream first = TcpStream.connect(skein, listener.localAddress())) {
            send(first, "hello");
            assertThat(receive(first, 5)).isEqualTo("hello");
            expectEcho(listener);
            expectEcho(listener);
            send(first, "again");
            assertThat(receive(first, 5)).isEqualTo("again");

            assertThat(server.isServing()).isTrue();
            assertThat(heard).singleElement().isInstanceOf(InvalidPathException.class);
        }
    }

    /** Its close fails. */
    private static final class Stubborn implements Server.Acceptor<TcpStream> {
        private final TcpListener listener;

        Stubborn(TcpListener listener) {
            this.listener = listener;
        }

        @Override
        public TcpStream accept() throws IOException {
            return listener.accept();
        }

        @Override
        public boolean isOpen() {
            return listener.isOpen();
        }

        @Override
        public void close() {
            listener.close();
            throw new IllegalStateException("a bug in close");
        }
    }

    @Test
    void aListenerWhoseCloseFailsLeavesThoseWhoAreServedAlone() throws Exception {
        try (TcpListener listener = listen();
                Server server = Server.serve(
                        skein,
                        new Stubborn(listener),
                        options -> options.withFailureHandler((_, failure) -> heard.add(failure)),
                        EchoServer::echo)) {
            try (TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
                send(client, "hello");
                assertThat(receive(client, 5)).isEqualTo("hello");
                server.stop();
                Await.until("the failure was heard", () -> heard.size() == 1);
                send(client, "again");
                assertThat(receive(client, 5)).isEqualTo("again");
            }
            server.join();
        }
    }

    @Test
    void withoutAHandlerOfItsOwnTheRuntimesHears() throws Exception {
        expectUnheardFailures();
        try (TcpListener listener = listen();
                Server _ = Server.serve(skein, new Faltering(listener), EchoServer::echo)) {
            expectEcho(listener);
            Await.until("the failure was heard", () -> unheardFailures.size() == 1);
        }
    }

    @Test
    void aFailureHandlerThatFailsItselfStopsNobody() throws Exception {
        expectUnheardFailures();
        try (TcpListener listener = listen();
                Server _ = Server.serve(
                        skein,
                        new Faltering(listener),
                        options -> options.withFailureHandler((_, _) -> {
                            throw new IllegalStateException("a bug in the failure handler");
                        }),
                        EchoServer::echo)) {
            expectEcho(listener);
            Await.until("both failures were heard", () -> unheardFailures.size() == 1);
            assertThat(unheardFailures.element())
                    .isInstanceOf(IllegalStateException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed()[0]).hasMessage("odd"));
        }
    }

    @Test
    void aListenerThatIsClosedEndsTheServerAndNobodyIsTold() throws Exception {
        TcpListener listener = listen();
        Server server = Server.serve(skein, listener, EchoServer::echo);
        expectEcho(listener);

        listener.close();

        server.join();
        assertThat(server.isServing()).isFalse(); // and the runtime's failure handler has heard nothing
    }

    @Test
    void aListenerWithATimeoutOfItsOwnIsAskedAgainAndNobodyIsTold() throws Exception {
        try (TcpListener listener = TcpListener.builder()
                        .acceptTimeout(Duration.ofMillis(1))
                        .bind(skein, LOOPBACK);
                Server _ = Server.serve(skein, listener, EchoServer::echo)) {
            expectEcho(listener);
        }
    }

    @Test
    void everyListenerKnowsWhetherItIsOpen() throws Exception {
        TcpListener tcp = listen();
        UnixListener unix = UnixListener.bind(skein, folder.resolve("socket"));
        TlsListener tls = TlsListener.bind(skein, LOOPBACK, TlsOptions.defaults());
        for (StreamListener<?> listener : new StreamListener<?>[] {tcp, unix, tls}) {
            assertThat(listener.isOpen()).isTrue();
            listener.close();
            assertThat(listener.isOpen()).isFalse();
        }
    }

    @Test
    void aListenerIsClosedWithItsRuntime() throws Exception {
        TcpListener listener;
        try (Skein other = setup.builder().start()) {
            listener = TcpListener.bind(other, LOOPBACK);
            assertThat(listener.isOpen()).isTrue();
        }
        assertThat(listener.isOpen()).isFalse();
    }

    private void expectEcho(TcpListener listener) throws IOException {
        try (TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
            send(client, "hello");
            assertThat(receive(client, 5)).isEqualTo("hello");
        }
    }
}
