package io.skein.cli.demo;

import io.skein.Action;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The rival: a JDK virtual thread per connection, on the JDK's scheduler, with blocking socket channels. */
final class VirtualThreadContender implements Contender {

    /** The JDK's own 50 is fewer than the swarm: the rest would wait a second for the kernel to ask again. */
    private static final int BACKLOG = 1024;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @Override
    public String name() {
        return "JDK virtual threads";
    }

    @Override
    public String driver() {
        return System.getProperty("os.name").equals("Linux") ? "JDK, epoll" : "JDK";
    }

    @Override
    public int workers() {
        return Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    }

    @Override
    public void spawn(Action body) {
        threads.execute(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    public LinkListener listen() throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        return new Listener(channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG));
    }

    @Override
    public Link connect(InetSocketAddress server) throws IOException {
        return new Stream(SocketChannel.open(server));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }

    private record Listener(ServerSocketChannel channel) implements LinkListener {

        @Override
        public Link accept() throws IOException {
            return new Stream(channel.accept());
        }

        @Override
        public InetSocketAddress address() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private record Stream(SocketChannel channel) implements Link {

        @Override
        public int read(ByteBuffer target) throws IOException {
            return channel.read(target);
        }

        @Override
        public void write(ByteBuffer source) throws IOException {
            while (source.hasRemaining()) {
                channel.write(source);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
