package io.skein.internal.io.nio;

import io.skein.internal.Suspension;
import io.skein.internal.io.BlockingCall;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.AbstractName;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.FileNames;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.loom.ChannelDescriptors;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What sockets of Linux have and the JDK's channels have not: abstract names, and {@code TCP_USER_TIMEOUT}. System calls make
 * and tune the sockets; from then on they are the JDK's channels like any other.
 *
 * <p>Any thread may call it; only a coroutine connects. Where it {@linkplain #require cannot be had}, the rest must not be called.
 */
final class LinuxSockets {
    /** Initialised by whoever first asks. */
    private static final class Answer {
        /** Why it cannot be had, or null. */
        static final @Nullable String REFUSAL = refusal(System.getProperty("os.name", ""), wants());
    }

    private static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    private static volatile boolean answered;

    private LinuxSockets() {}

    /**
     * Finds out whether it can be had, and lets the blocking pool do so: the C library is linked by that, which takes longer than a
     * worker should be held.
     */
    static void prepare(Submitter submitter) throws IOException {
        if (!answered) {
            boolean _ = BlockingCall.<Boolean>makeUninterruptibly(submitter, LinuxSockets::areAvailable);
            answered = true;
        }
    }

    private static @Nullable String wants() {
        if (!ChannelDescriptors.available()) {
            return ChannelDescriptors.missing();
        }
        try {
            long _ = Libc.calls(); // it links
            return null;
        } catch (LinkageError e) {
            return "a JVM that lets Skein call the C library, which --enable-native-access does";
        }
    }

    /** Whom to name when it cannot be had: the system, if it is another one, and else what it wants. */
    static @Nullable String refusal(String system, @Nullable String wants) {
        if (!system.equals("Linux")) {
            return "needs Linux, and this is " + system;
        }
        return wants == null ? null : "needs " + wants;
    }

    static boolean areAvailable() {
        return Answer.REFUSAL == null;
    }

    /**
     * Refuses where it cannot be had.
     *
     * @param what what somebody wants
     * @throws UnsupportedOperationException saying what is missing
     */
    static void require(String what) {
        if (Answer.REFUSAL != null) {
            throw new UnsupportedOperationException("with the nio driver " + what + " " + Answer.REFUSAL);
        }
    }

    /** A channel that is bound to the name and listens. */
    static ServerSocketChannel listen(Submitter submitter, AbstractName name, int backlog) throws IOException {
        int fd = open(submitter, "bind", name);
        try {
            check("bind", name, with(name, (address, length) -> Libc.bind(fd, address, length)));
            check("listen", name, Libc.listen(fd, backlog));
            return ChannelDescriptors.listener(fd);
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(fd);
            throw e;
        }
    }

    /** A channel that is connected to the name. An interrupt ends the wait for that, and so does the timeout. */
    static SocketChannel connect(Submitter submitter, AbstractName name, long timeoutNanos) throws IOException {
        int fd = open(submitter, "connect", name);
        try {
            int result = new PatientConnect(fd, name).perform(Deadline.after(timeoutNanos));
            if (Errno.ETIME.is(result)) {
                throw Deadline.exception("connect", name, timeoutNanos);
            }
            check("connect", name, result);
            return ChannelDescriptors.stream(fd, name);
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(fd);
            throw e;
        }
    }

    /**
     * A connect that does not block. A listener whose backlog is full answers that it should be tried again, and nobody tells when
     * there is room. So it is tried again after a millisecond, and then after twice as long each time, up to 50 ms.
     */
    private static final class PatientConnect extends Suspension {
        private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);
        private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(50);

        private final int fd;
        private final AbstractName name;

        PatientConnect(int fd, AbstractName name) {
            this.fd = fd;
            this.name = name;
        }

        int perform(long deadline) {
            long pause = SHORTEST;
            while (!Thread.currentThread().isInterrupted()) {
                int result = with(name, (address, length) -> Libc.connect(fd, address, length));
                if (!Errno.EAGAIN.is(result)) {
                    return result;
                }
                if (Deadline.isPassed(deadline)) {
                    return -Errno.ETIME.number();
                }
                long end = System.nanoTime() + pause;
                begin();
                awaitUntil(deadline != Deadline.NONE && deadline - end < 0 ? deadline : end);
                pause = Math.min(2 * pause, LONGEST);
            }
            return -Errno.ECANCELED.number();
        }
    }

    /**
     * Whether connections to a listener with that address are accepted here. The JDK makes a path of the peer's name; where that
     * cannot be, it fails, and the descriptor is lost. A peer can have such a name unless file names are in UTF-8.
     */
    static boolean accepts(SocketAddress listener) {
        return listener instanceof AbstractName
                || (listener instanceof UnixDomainSocketAddress && !FileNames.haveAllTexts() && areAvailable());
    }

    /** The next connection of a listener of Unix that does not block, or null if there is none. */
    static @Nullable SocketChannel accept(ServerSocketChannel listener) throws IOException {
        int fd = Libc.accept(ChannelDescriptors.of(listener));
        if (Errno.EAGAIN.is(fd) || Errno.EINTR.is(fd) || Errno.isPassingAcceptFailure(fd)) {
            return null;
        }
        if (Errno.EMFILE.is(fd) || Errno.ENFILE.is(fd)) {
            throw new IOException("Too many open files"); // as the JDK says it
        }
        if (fd < 0) {
            throw new IOException(Errno.describe(-fd));
        }
        try {
            return ChannelDescriptors.stream(fd, UNNAMED);
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(fd);
            throw e;
        }
    }

    /** The address of who was accepted here, as the kernel has it; the JDK does not know all names. */
    static SocketAddress peer(SocketChannel accepted) throws IOException {
        SocketAddress peer = SocketAddresses.peer(ChannelDescriptors.of(accepted));
        return peer == null ? accepted.getRemoteAddress() : peer;
    }

    /** Sets {@code TCP_USER_TIMEOUT} of an open channel. */
    static void setUserTimeout(NetworkChannel channel, int millis) throws IOException {
        if (millis < 0) {
            throw new IllegalArgumentException("TCP_USER_TIMEOUT: " + millis + "; it must not be negative");
        }
        int fd = ChannelDescriptors.of(channel);
        int result = Libc.setIntOption(fd, Libc.IPPROTO_TCP, Libc.TCP_USER_TIMEOUT, millis);
        if (result < 0) {
            throw new SocketException("set TCP_USER_TIMEOUT to " + millis + ": " + Errno.describe(-result));
        }
    }

    /** Gets {@code TCP_USER_TIMEOUT} of an open channel. */
    static int userTimeout(NetworkChannel channel) throws IOException {
        int fd = ChannelDescriptors.of(channel);
        int result = Libc.getIntOption(fd, Libc.IPPROTO_TCP, Libc.TCP_USER_TIMEOUT);
        if (result < 0) {
            throw new SocketException("get TCP_USER_TIMEOUT: " + Errno.describe(-result));
        }
        return result;
    }

    private static int open(Submitter submitter, String operation, AbstractName name) throws IOException {
        prepare(submitter);
        require("the abstract name " + name);
        int type = Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC | Libc.SOCK_NONBLOCK;
        int fd = Libc.socket(Libc.AF_UNIX, type, 0);
        check(operation, name, fd);
        return fd;
    }

    private static void check(String operation, AbstractName name, int result) throws IOException {
        if (result < 0) {
            throw Errno.exception(operation, name, -result);
        }
    }

    /** A call of the C library that takes an address. */
    private interface AddressCall {
        int make(long address, int length);
    }

    private static int with(AbstractName name, AddressCall call) {
        long buffer = Libc.allocate(SocketAddresses.SIZE);
        try {
            return call.make(buffer, SocketAddresses.encode(name, buffer));
        } finally {
            Libc.free(buffer);
        }
    }
}
