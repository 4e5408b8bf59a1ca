package io.skein.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/** The JDK's datagrams: one virtual thread and a blocking {@link DatagramChannel}. */
final class JdkDatagrams implements Server {
    private final DatagramChannel channel;
    private final int bufferSize;

    JdkDatagrams(int bufferSize) throws IOException {
        this.bufferSize = bufferSize;
        channel = DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().name("datagrams").start(this::echo);
    }

    private void echo() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bufferSize);
        try {
            while (true) {
                SocketAddress sender = channel.receive(buffer);
                buffer.flip();
                channel.send(buffer, sender);
                buffer.clear();
            }
        } catch (ClosedChannelException closed) {
            return;
        } catch (IOException failure) {
            System.err.println("datagrams: " + failure);
        }
    }

    @Override
    public int port() {
        return channel.socket().getLocalPort();
    }

    @Override
    public String describe() {
        return "a virtual thread and DatagramChannel, JDK " + Runtime.version();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
