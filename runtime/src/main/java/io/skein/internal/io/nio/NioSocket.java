package io.skein.internal.io.nio;

import io.skein.internal.io.ExtraOption;
import io.skein.internal.io.Gate;
import io.skein.internal.io.Submitter;
import io.skein.internal.io.Tunable;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the sockets on a selector have in common: a channel with options. Thread safety is the {@link Gate}'s. */
abstract class NioSocket<C extends SelectableChannel & NetworkChannel> extends Gate implements Tunable {
    final NioBackend backend;
    final Submitter submitter;
    final C channel;

    NioSocket(NioBackend backend, Submitter submitter, C channel) {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.channel = channel;
    }

    /** Makes a short call on the channel. */
    final void call(String operation, NioBackend.Immediate.Call call) throws IOException {
        enterBriefly(operation, this);
        try {
            backend.run(submitter, operation, this, channel, call);
        } finally {
            leaveBriefly();
        }
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        SocketOption<T> known = find(option);
        call("set option", () -> write(channel, known, value));
    }

    private <T> SocketOption<T> find(SocketOption<T> wanted) throws IOException {
        if (wanted == ExtraOption.TCP_USER_TIMEOUT) {
            LinuxSockets.prepare(submitter);
        }
        return find(channel, wanted);
    }

    static <T> void set(NetworkChannel channel, SocketOption<T> option, T value) throws IOException {
        write(channel, find(channel, option), value);
    }

    private static <T> void write(NetworkChannel channel, SocketOption<T> known, T value) throws IOException {
        if (known == ExtraOption.TCP_USER_TIMEOUT) {
            LinuxSockets.setUserTimeout(channel, (Integer) value);
        } else {
            channel.setOption(known, value);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // only an interface for multicast that was never set is null
    public <T> T getOption(SocketOption<T> option) throws IOException {
        SocketOption<T> known = find(option);
        Answer<T> answer = new Answer<>();
        call("get option", () -> answer.value = read(channel, known));
        return known.type().cast(answer.value);
    }

    private static <T> @Nullable T read(NetworkChannel channel, SocketOption<T> known) throws IOException {
        return known == ExtraOption.TCP_USER_TIMEOUT
                ? known.type().cast(LinuxSockets.userTimeout(channel))
                : channel.getOption(known);
    }

    private static final class Answer<T> {
        private @Nullable T value;
    }

    @Override
    public final Set<SocketOption<?>> supportedOptions() {
        Set<SocketOption<?>> supported = new LinkedHashSet<>(addedOptions());
        for (SocketOption<?> each : channel.supportedOptions()) {
            supported.add(ExtraOption.ours(each));
        }
        if (isTcp(channel) && LinuxSockets.areAvailable()) {
            supported.add(ExtraOption.TCP_USER_TIMEOUT);
        }
        return ExtraOption.withThoseOfTheJdk(supported);
    }

    /** What the socket has and its channel has not. */
    Set<SocketOption<?>> addedOptions() {
        return Set.of();
    }

    /**
     * The channel's own option of that name. The JDK has keep-alive tuning in a module of its own, {@code jdk.net}: a channel
     * knows those options where that module is there. {@code TCP_USER_TIMEOUT} is ours.
     */
    @SuppressWarnings("unchecked") // the same name and type
    private static <T> SocketOption<T> find(NetworkChannel channel, SocketOption<T> wanted) {
        String name = ExtraOption.ours(wanted).name();
        if (name.equals(ExtraOption.TCP_USER_TIMEOUT.name()) && wanted.type() == Integer.class && isTcp(channel)) {
            LinuxSockets.require(name);
            return (SocketOption<T>) ExtraOption.TCP_USER_TIMEOUT;
        }
        for (SocketOption<?> each : channel.supportedOptions()) {
            if (ExtraOption.ours(each).name().equals(name) && each.type() == wanted.type()) {
                return (SocketOption<T>) each;
            }
        }
        throw new UnsupportedOperationException("this socket has no option " + wanted.name());
    }

    /** Sockets of Unix have no such addresses to reuse. */
    private static boolean isTcp(NetworkChannel channel) {
        return !(channel instanceof DatagramChannel)
                && channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEADDR);
    }

    /** The exception for an operation that ended with a negative result. */
    final IOException exception(NioOperation failed, String operation, Object subject, int result, long timeoutNanos) {
        return isClosed()
                ? new SocketException(operation + " " + this + ": closed by another thread")
                : failed.exception(operation, subject, result, timeoutNanos);
    }

    @Override
    protected void release() {
        backend.close(submitter, channel);
    }
}
