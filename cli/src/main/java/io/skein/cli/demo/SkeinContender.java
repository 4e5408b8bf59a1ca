package io.skein.cli.demo;

import io.skein.Action;
import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Locale;

/** Skein: a coroutine per connection on its own workers. */
final class SkeinContender implements Contender {

    private final Skein skein;

    SkeinContender(DriverKind driver) {
        skein = Skein.builder().driver(driver).name("demo").start();
    }

    @Override
    public String name() {
        return "Skein";
    }

    @Override
    public String driver() {
        return skein.driver().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int workers() {
        return skein.workers();
    }

    @Override
    public void spawn(Action body) {
        var _ = skein.spawn(body);
    }

    @Override
    public LinkListener listen() throws IOException {
        return new Listener(TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @Override
    public Link connect(InetSocketAddress server) throws IOException {
        return new Stream(TcpStream.connect(server));
    }

    @Override
    public void close() {
        skein.shutdownNow();
        skein.close();
    }

    private record Listener(TcpListener listener) implements LinkListener {

        @Override
        public Link accept() throws IOException {
            return new Stream(listener.accept());
        }

        @Override
        public InetSocketAddress address() {
            return listener.localAddress();
        }

        @Override
        public void close() {
            listener.close();
        }
    }

    private record Stream(TcpStream stream) implements Link {

        @Override
        public int read(ByteBuffer target) throws IOException {
            return stream.read(target);
        }

        @Override
        public void write(ByteBuffer source) throws IOException {
            stream.write(source);
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
