package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.loom.ChannelDescriptors;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A listener with an abstract name whose backlog is full: whoever connects has to wait until somebody is accepted. */
final class FullDoor implements AutoCloseable {
    private static final int MORE_THAN_FIT = 8;

    private final List<RawUnixSocket> fillers = new ArrayList<>();
    private final ServerSocketChannel listener;

    private FullDoor(ServerSocketChannel listener) {
        this.listener = listener;
    }

    @SuppressWarnings("resource") // the channel has the descriptor
    static FullDoor open(String name) throws IOException {
        RawUnixSocket socket = new RawUnixSocket();
        socket.bind(name);
        assertThat(Libc.listen(socket.fd(), 1)).as("listen").isZero();
        FullDoor door = new FullDoor(ChannelDescriptors.listener(socket.fd()));
        int result = 0;
        while (result == 0) {
            assertThat(door.fillers).hasSizeLessThan(MORE_THAN_FIT);
            RawUnixSocket filler = new RawUnixSocket();
            door.fillers.add(filler);
            result = filler.connect(name);
        }
        assertThat(Errno.EAGAIN.is(result)).as("the backlog is full").isTrue();
        return door;
    }

    /** Lets one of those in who are waiting in the backlog. */
    void admitOne() throws IOException {
        listener.accept().close();
    }

    @Override
    public void close() throws IOException {
        fillers.forEach(RawUnixSocket::close);
        listener.close();
    }
}
