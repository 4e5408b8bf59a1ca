package io.skein.bench.server;

import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.net.Datagram;
import io.skein.net.Received;
import io.skein.net.UdpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Skein: one worker, and a coroutine that sends the datagrams back, as many at a time as have come. */
final class SkeinDatagrams implements Server {
    /** How many it takes at once, if as many are there. */
    private static final int BATCH = 32;

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
        ByteBuffer[] buffers = new ByteBuffer[BATCH];
        Arrays.setAll(buffers, _ -> ByteBuffer.allocateDirect(bufferSize));
        List<Datagram> answers = new ArrayList<>(BATCH);
        try {
            while (true) {
                for (Received received : socket.receiveMany(buffers)) {
                    answers.add(new Datagram(buffers[answers.size()].flip(), received.sender()));
                }
                socket.sendAll(answers);
                answers.clear();
                for (ByteBuffer buffer : buffers) {
                    buffer.clear();
                }
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
