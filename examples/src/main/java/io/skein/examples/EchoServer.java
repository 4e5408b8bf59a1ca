package io.skein.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A server is a loop that accepts, and one coroutine per connection, in plain blocking code. Here it also
 * talks to itself, so that the program ends.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody joins a handler: a failure goes to the failure handler
public final class EchoServer {

    private EchoServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Skein skein = Skein.start()) {
            skein.blockOn(() -> {
                try (TcpListener listener = TcpListener.bind("127.0.0.1", 0)) {
                    skein.spawn(() -> acceptAll(skein, listener));
                    talkTo(listener.localAddress());
                }
            });
        }
    }

    private static void acceptAll(Skein skein, TcpListener listener) throws IOException {
        try {
            while (true) {
                TcpStream stream = listener.accept();
                skein.spawn(() -> echo(stream));
            }
        } catch (SocketException closed) {
            System.out.println("server: closed, no more connections");
        }
    }

    private static void echo(TcpStream stream) throws IOException {
        try (stream) {
            ByteBuffer buffer = ByteBuffer.allocate(4096);
            while (stream.read(buffer) >= 0) {
                stream.write(buffer.flip());
                buffer.clear();
            }
        }
    }

    private static void talkTo(InetSocketAddress server) throws IOException {
        try (TcpStream stream = TcpStream.connect(server)) {
            for (String word : List.of("hello", "from", "a", "coroutine")) {
                ByteBuffer message = UTF_8.encode(word);
                ByteBuffer answer = ByteBuffer.allocate(message.remaining());
                stream.write(message);
                while (answer.hasRemaining() && stream.read(answer) >= 0) {}
                System.out.println("client: the server says " + UTF_8.decode(answer.flip()));
            }
        }
    }
}
