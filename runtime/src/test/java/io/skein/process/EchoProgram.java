package io.skein.process;

import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import io.skein.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** An echo server, beside which a coroutine sleeps again and again. It ends with its input. */
final class EchoProgram {
    private EchoProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (Skein skein = Skein.builder()
                .driver(DriverKind.valueOf(arguments[0]))
                .workers(2)
                .start()) {
            TcpListener listener = TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Coroutine<?> _ = skein.spawn(() -> {
                while (true) {
                    TcpStream stream = listener.accept();
                    Coroutine<?> _ = skein.spawn(() -> echo(stream));
                }
            });
            Coroutine<?> _ = skein.spawn(() -> {
                while (true) {
                    Time.sleep(Duration.ofMillis(20));
                }
            });
            System.out.println("port " + listener.localAddress().getPort());
            while (System.in.read() >= 0) {}
            System.exit(0);
        }
    }

    private static Void echo(TcpStream stream) throws Exception {
        try (stream) {
            ByteBuffer buffer = ByteBuffer.allocate(1000);
            while (stream.read(buffer) >= 0) {
                stream.write(buffer.flip());
                buffer.clear();
            }
            return null;
        }
    }
}
