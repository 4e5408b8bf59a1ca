package io.skein.internal.seat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SocketChannel;

/** The socket of a channel. To close either is to close both. */
final class ChannelSocket extends Socket {
    private final SocketChannel channel;

    ChannelSocket(StreamSeat seat, SocketChannel channel) throws SocketException {
        super(seat);
        this.channel = channel;
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Closes the socket itself, for the channel that is being closed. */
    void closeWithChannel() throws IOException {
        super.close();
    }
}
