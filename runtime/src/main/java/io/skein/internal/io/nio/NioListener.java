package io.skein.internal.io.nio;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.Setting;
import io.skein.internal.io.Shortage;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A listening channel. One coroutine accepts at a time; close may come from anywhere. */
final class NioListener extends NioSocket<ServerSocketChannel> implements ListenerSocket {
    private final SocketAddress localAddress;

    /** Whether the JDK may fail to accept a peer for its name. */
    private final boolean bySystemCall;

    /** {@code IP_TOS}, or negative if it was never set. */
    private volatile int trafficClass;

    private final Accept accept;
    private final Shortage shortage = new Shortage(this, this::isClosed);

    private final class Accept extends NioOperation {
        private @Nullable SocketChannel accepted;

        Accept() {
            super(channel, SelectionKey.OP_ACCEPT);
        }

        @Override
        int attempt() throws IOException {
            accepted = bySystemCall ? LinuxSockets.accept(channel) : channel.accept();
            return accepted == null ? NOT_READY : 0;
        }

        @Override
        boolean abandoned() {
            return isClosed();
        }
    }

    /**
     * A listener on a channel that listens.
     *
     * @param trafficClass {@code IP_TOS}, or negative if it was not set
     */
    NioListener(
            NioBackend backend,
            Submitter submitter,
            ServerSocketChannel channel,
            SocketAddress localAddress,
            int trafficClass) {
        super(backend, submitter, channel);
        this.localAddress = localAddress;
        this.trafficClass = trafficClass;
        this.bySystemCall = LinuxSockets.accepts(localAddress);
        this.accept = new Accept();
        opened();
    }

    @Override
    public StreamSocket accept(long timeoutNanos) throws IOException {
        enterRead("accept", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            int result = accept.perform(submitter, deadline);
            while (accept.isShortage(result) && shortage.waitAMoment("too many open files", deadline)) {
                result = accept.perform(submitter, deadline);
            }
            SocketChannel accepted = accept.accepted;
            accept.accepted = null;
            if (accepted != null && result >= 0) {
                shortage.over();
                return welcome(accepted);
            }
            boolean late = accept.isShortage(result) && Deadline.isPassed(deadline);
            throw exception(accept, "accept", this, late ? -Errno.ETIME.number() : result, timeoutNanos);
        } finally {
            leaveRead();
        }
    }

    private StreamSocket welcome(SocketChannel accepted) throws IOException {
        int inherited = trafficClass;
        if (inherited >= 0) {
            try {
                accepted.setOption(StandardSocketOptions.IP_TOS, inherited);
            } catch (IOException | RuntimeException | Error e) {
                accepted.close();
                throw e;
            }
        }
        return backend.stream(submitter, accepted, localAddress, bySystemCall);
    }

    /** The last {@code IP_TOS} of a listener's settings, or a negative number if there is none. */
    static int trafficClass(List<Setting<?>> settings) {
        int last = -1;
        for (Setting<?> setting : settings) {
            if (setting.option() == StandardSocketOptions.IP_TOS) {
                last = checked((Integer) setting.value());
            }
        }
        return last;
    }

    private static int checked(int trafficClass) {
        if (trafficClass < 0 || trafficClass > 0xff) {
            throw new IllegalArgumentException("IP_TOS: " + trafficClass + "; it must be from 0 to 255");
        }
        return trafficClass;
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        if (!addedOptions().contains(option)) {
            super.setOption(option, value);
            return;
        }
        enterBriefly("set option", this);
        try {
            trafficClass = checked((Integer) value);
        } finally {
            leaveBriefly();
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        if (!addedOptions().contains(option)) {
            return super.getOption(option);
        }
        enterBriefly("get option", this);
        try {
            return option.type().cast(Math.max(0, trafficClass));
        } finally {
            leaveBriefly();
        }
    }

    /**
     * The JDK's channels that listen have no {@code IP_TOS}, as sockets that listen have: those that are accepted
     * inherit it. So it is kept here for them.
     */
    @Override
    Set<SocketOption<?>> addedOptions() {
        return localAddress instanceof InetSocketAddress ? Set.of(StandardSocketOptions.IP_TOS) : Set.of();
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
    }

    @Override
    protected void evictReader() {
        accept.cancelFromOutside();
    }

    @Override
    protected void evict() {
        accept.cancelFromOutside();
        boolean _ = shortage.resume();
    }

    @Override
    protected void release() {
        super.release();
        accept.forgetDeadline();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress);
    }
}
