package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Await;
import io.skein.Scope;
import io.skein.Setup;
import io.skein.sync.Event;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

@Setup.Each
class ServerTest extends NetworkTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    ServerTest(Setup setup) {
        super(setup);
    }

    @Test
    void eachConnectionIsServedAndItsStreamClosedAfterwards() throws Exception {
        try (TcpListener listener = listen();
                Server server = Server.serve(skein, listener, stream -> send(stream, receive(stream, 5)));
                TcpStream first = TcpStream.connect(skein, listener.localAddress());
                TcpStream second = TcpStream.connect(skein, listener.localAddress())) {
            send(second, "world");
            send(first, "hello");

            assertThat(receive(first, 100)).isEqualTo("hello");
            assertThat(receive(second, 100)).isEqualTo("world");
            Await.until("both have gone", () -> server.connections() == 0);
        }
    }

    @Test
    void inACoroutineTheRuntimeNeedNotBeNamed() throws Exception {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind(LOOPBACK);
                    Server _ = Server.serve(listener, EchoServer::echo);
                    TcpStream client = TcpStream.connect(listener.localAddress())) {
                send(client, "hello");
                assertThat(receive(client, 5)).isEqualTo("hello");
                client.shutdownOutput();
            }
        });
        assertThatIllegalStateException().isThrownBy(() -> Server.serve(listen(), EchoServer::echo));
    }

    @Test
    void atTheLimitNobodyIsAcceptedUntilSomebodyLeaves() throws Exception {
        AtomicInteger most = new AtomicInteger();
        AtomicReference<Server> server = new AtomicReference<>();
        try (TcpListener listener = listen();
                Server limited = Server.serve(skein, listener, options -> options.withLimit(2), stream -> {
                    most.accumulateAndGet(server.get().connections(), Math::max);
                    EchoServer.echo(stream);
                })) {
            server.set(limited);
            TcpStream first = greeted(listener);
            TcpStream second = greeted(listener);
            TcpStream third = TcpStream.connect(skein, listener.localAddress()); // by the kernel, into the backlog
            send(third, "hello");
            assertThat(limited.connections()).isEqualTo(2);

            first.close();

            assertThat(receive(third, 5)).isEqualTo("hello");
            second.close();
            third.close();
        }
        assertThat(most).hasValue(2);
    }

    @Test
    void aHandlerThatFailsIsToldOfAndHurtsNobody() throws Exception {
        expectUnheardFailures();
        try (TcpListener listener = listen();
                Server _ = Server.serve(skein, listener, ServerTest::echoOrFail);
                TcpStream healthy = greeted(listener)) {
            for (int i = 0; i < 10; i++) {
                try (TcpStream victim = TcpStream.connect(skein, listener.localAddress())) {
                    send(victim, "wrong");
                    assertThat(receive(victim, 1)).isEmpty();
                }
                send(healthy, "hello");
                assertThat(receive(healthy, 5)).isEqualTo("hello");
            }
        }
        Await.until("the failure handler heard of all", () -> unheardFailures.size() == 10);
        assertThat(unheardFailures).allMatch(failure -> failure instanceof IllegalStateException);
    }

    @Test
    void aFailureHandlerOfItsOwnHearsInsteadOfTheRuntimes() throws Exception {
        Queue<Throwable> heard = new ConcurrentLinkedQueue<>();
        try (TcpListener listener = listen();
                Server _ = Server.serve(
                        skein,
                        listener,
                        options -> options.withFailureHandler((_, failure) -> heard.add(failure)),
                        ServerTest::echoOrFail);
                TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
            send(client, "wrong");
            assertThat(receive(client, 1)).isEmpty();
            Await.until("it was heard", () -> heard.size() == 1);
        }
    }

    @Test
    void shutdownLetsHandlersFinish() throws Exception {
        Event mayFinish = new Event();
        try (TcpListener listener = listen();
                Server server = Server.serve(skein, listener, stream -> {
                    mayFinish.await();
                    send(stream, "done");
                });
                TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
            Await.until("it is served", () -> server.connections() == 1);
            Thread closer = Thread.ofPlatform().start(() -> shutDown(server, LONG, true));
            Await.until("nobody is accepted", () -> !server.isServing());
            Await.untilWaiting(closer);
            Await.until("the listener is closed", () -> isRefused(listener));

            mayFinish.set();

            assertThat(receive(client, 100)).isEqualTo("done");
            Await.untilEnded("the shutdown", closer);
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void handlersThatTakeTooLongAreCancelledAndTheirStreamsClosed() throws Exception {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        try (TcpListener listener = listen();
                Server server = Server.serve(skein, listener, stream -> {
                    try {
                        receive(stream, 1);
                    } catch (IOException e) {
                        seen.set(e);
                        throw e;
                    }
                });
                TcpStream stalled = TcpStream.connect(skein, listener.localAddress())) {
            Await.until("it is served", () -> server.connections() == 1);

            assertThat(server.shutdown(Duration.ofMillis(1))).isFalse();

            assertThat(seen.get()).isInstanceOf(InterruptedIOException.class);
            assertThat(receive(stalled, 1)).isEmpty();
        }
    }

    @Test
    void interruptingWhoClosesCancelsTheHandlersAtOnce() throws Exception {
        try (TcpListener listener = listen();
                TcpStream _ = TcpStream.connect(skein, listener.localAddress())) {
            Server server =
                    Server.serve(skein, listener, options -> options.withDrain(LONG), stream -> receive(stream, 1));
            Await.until("it is served", () -> server.connections() == 1);
            AtomicReference<Boolean> interrupted = new AtomicReference<>();
            Thread closer = Thread.ofPlatform().start(() -> {
                server.close();
                interrupted.set(Thread.currentThread().isInterrupted());
            });
            Await.untilWaiting(closer);

            closer.interrupt();

            Await.untilEnded("the close", closer);
            assertThat(interrupted).hasValue(true);
        }
    }

    @Test
    void stopAtTheLimitEndsTheWaitForAPlace() throws Exception {
        try (TcpListener listener = listen();
                Server server = Server.serve(skein, listener, options -> options.withLimit(1), EchoServer::echo)) {
            TcpStream only = greeted(listener);

            server.stop();

            Await.until("the listener is closed", () -> isRefused(listener));
            send(only, "hello");
            assertThat(receive(only, 5)).isEqualTo("hello"); // it goes on
            only.close();
            server.join();
        }
    }

    @Test
    void aHandlerMayStopItsServerButNotWaitForIt() throws Exception {
        AtomicReference<Server> server = new AtomicReference<>();
        Event started = new Event();
        Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
        try (TcpListener listener = listen()) {
            server.set(Server.serve(skein, listener, stream -> {
                started.await();
                assertThatIllegalStateException()
                        .isThrownBy(server.get()::close)
                        .satisfies(refused::add);
                server.get().stop();
                send(stream, "last");
            }));
            started.set();
            try (TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
                assertThat(receive(client, 100)).isEqualTo("last");
            }
            server.get().join();
            assertThat(refused).hasSize(1);
        }
    }

    @Test
    void closingTheListenerEndsTheServerOnceItsHandlersHave() throws Exception {
        TcpListener listener = listen();
        try (Server server = Server.serve(skein, listener, EchoServer::echo)) {
            TcpStream client = greeted(listener);
            listener.close();
            send(client, "hello");
            assertThat(receive(client, 5)).isEqualTo("hello");
            client.close();

            server.join();

            assertThat(server.isServing()).isFalse();
        }
    }

    @Test
    void closingTwiceAndStoppingAfterwardsAreHarmless() throws Exception {
        try (TcpListener listener = listen()) {
            Server server = Server.serve(skein, listener, EchoServer::echo);
            server.close();
            server.close();
            server.stop();
            assertThat(server.shutdown(Duration.ZERO)).isTrue();
            assertThat(server).asString().contains("0 connections");
        }
    }

    @Test
    void stoppingTheRuntimeAtOnceEndsAServerInTheMiddleOfItsWork() throws Exception {
        TcpListener listener = listen();
        Server server = Server.serve(skein, listener, stream -> receive(stream, 1));
        TcpStream client = TcpStream.connect(skein, listener.localAddress());
        Await.until("it is served", () -> server.connections() == 1);

        assertThat(skein.shutdownNow(LONG)).isTrue();

        assertThat(server.isServing()).isFalse();
        client.close();
    }

    @Test
    void twoHundredClientsAtOnceAreAllServedThroughFivePlaces() throws Exception {
        AtomicInteger served = new AtomicInteger();
        try (TcpListener listener = listen();
                Server server = Server.serve(skein, listener, options -> options.withLimit(5), stream -> {
                    send(stream, receive(stream, 5));
                    served.incrementAndGet();
                })) {
            skein.blockOn(() -> {
                try (var scope = Scope.<Object>open()) {
                    for (int i = 0; i < 200; i++) {
                        var _ = scope.fork(() -> {
                            try (TcpStream client = TcpStream.connect(listener.localAddress())) {
                                send(client, "hello");
                                assertThat(receive(client, 5)).isEqualTo("hello");
                            }
                        });
                    }
                    scope.join();
                }
            });
            assertThat(server.shutdown(LONG)).isTrue();
        }
        assertThat(served).hasValue(200);
    }

    @Test
    void aLimitOfNoneIsRefused() throws Exception {
        try (TcpListener listener = listen()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Server.serve(skein, listener, options -> options.withLimit(0), EchoServer::echo))
                    .withMessageContaining("limit: 0");
        }
    }

    private TcpStream greeted(TcpListener listener) throws IOException {
        TcpStream client = TcpStream.connect(skein, listener.localAddress());
        send(client, "hello");
        assertThat(receive(client, 5)).isEqualTo("hello");
        return client;
    }

    private boolean isRefused(TcpListener listener) throws IOException {
        try {
            TcpStream.connect(skein, listener.localAddress()).close();
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (SocketException reset) { // accepted by the kernel as the listener went away
            return false;
        }
    }

    private static void shutDown(Server server, Duration time, boolean expected) {
        try {
            assertThat(server.shutdown(time)).isEqualTo(expected);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void echoOrFail(TcpStream stream) throws IOException {
        for (String message = receive(stream, 5); !message.isEmpty(); message = receive(stream, 5)) {
            if (message.equals("wrong")) {
                throw new IllegalStateException("a bug in the handler");
            }
            send(stream, message);
        }
    }
}
