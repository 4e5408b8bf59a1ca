package io.skein.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.RuntimeTest;
import io.skein.Setup;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** What the tests of the network share: both ends of a connection, and text in place of buffers. */
abstract class NetworkTest extends RuntimeTest {
    /** A free port of the loopback interface. */
    static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    /** The same in IPv6; see {@link #assumeIpv6}. */
    static final InetSocketAddress IPV6_LOOPBACK = new InetSocketAddress(InetAddress.ofLiteral("::1"), 0);

    NetworkTest(Setup setup) {
        super(setup);
    }

    /** Two streams of one connection. */
    record Pair(TcpStream client, TcpStream server) implements AutoCloseable {
        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    /** A stream and a plain JDK socket: the peer may misbehave in ways that a stream does not offer. */
    record PlainPair(Socket peer, TcpStream stream) implements AutoCloseable {
        void peerSends(String text) throws IOException {
            peer.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }

        String peerReceives(int length) throws IOException {
            return new String(peer.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
        }

        /** Closes the peer's end so that the kernel answers everything with a reset. */
        void peerResets() throws IOException {
            peer.setSoLinger(true, 0);
            peer.close();
        }

        @Override
        public void close() throws IOException {
            stream.close();
            peer.close();
        }
    }

    /**
     * An address that is free, and stays so while nobody asks for it: to who asks for any port, the kernel gives higher ones. Other
     * tests may run at the same time.
     */
    static InetSocketAddress lastingAddress() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket probe = new ServerSocket(port, 1, LOOPBACK.getAddress())) {
                return (InetSocketAddress) probe.getLocalSocketAddress();
            } catch (BindException used) {
                // another one, then
            }
        }
    }

    TcpListener listen() throws IOException {
        return TcpListener.bind(skein, LOOPBACK);
    }

    Pair pair() throws IOException {
        try (TcpListener listener = listen()) {
            TcpStream client = TcpStream.connect(skein, listener.localAddress());
            return new Pair(client, listener.accept());
        }
    }

    PlainPair plainPair() throws IOException {
        return plainPair(new Socket());
    }

    /** Connects a socket that the test has prepared. */
    PlainPair plainPair(Socket peer) throws IOException {
        try (TcpListener listener = listen()) {
            peer.connect(listener.localAddress());
            return new PlainPair(peer, listener.accept());
        }
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static void send(TcpStream stream, String text) throws IOException {
        stream.write(bytes(text));
    }

    /** Reads exactly {@code length} bytes, or less at the end of the stream. */
    static String receive(TcpStream stream, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining() && stream.read(target) >= 0) {}
        return StandardCharsets.UTF_8.decode(target.flip()).toString();
    }

    /** Ends the test as skipped where the loopback interface has no IPv6. */
    static void assumeIpv6() {
        boolean available;
        try (ServerSocket probe = new ServerSocket(0, 1, IPV6_LOOPBACK.getAddress())) {
            available = probe.isBound();
        } catch (IOException noIpv6) {
            available = false;
        }
        assumeTrue(available, "this machine has no IPv6 on its loopback interface");
    }
}
