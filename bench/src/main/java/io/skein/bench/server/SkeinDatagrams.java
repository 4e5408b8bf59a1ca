package io.skein.bench.server;

import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.net.UdpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** Skein: one worker, and a coroutine that sends each datagram back. */
final class SkeinDatagrams implements Server {
    private final Skein skein;
    private final UdpSocket socket;
    private final int bufferSize;

    SkeinDatagrams(int bufferSize) throws IOException {
        this.bufferSize = bufferSize;
        skein = Skein.builder().workers(1).name("server").start();
        socket = UdpSocket.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Coroutine<?> _ = skein.spawn("datagrams", this::echo);
    }

    private void echo() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bufferSize);
        try {
            while (true) {
                InetSocketAddress sender = socket.receive(buffer).sender();
                buffer.flip();
                socket.send(buffer, sender);
                buffer.clear();
            }
        } catch (SocketException closed) {
            return;
        }
    }

    @Override
    public int port() {
        return socket.localAddress().getPort();
    }

    @Override
    public String describe() {
        return skein.describe();
    }

    @Override
    public void close() {
        socket.close();
        skein.shutdownNow();
        skein.close();
    }
}
