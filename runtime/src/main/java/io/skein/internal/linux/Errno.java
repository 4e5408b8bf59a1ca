package io.skein.internal.linux;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's error numbers, and the Java exception each becomes.
 *
 * <p>Any thread may call it. Numbers are positive here; the kernel and {@link Libc} return them negated. An
 * exception's text is {@code "<operation> <subject>: <what happened>"}.
 */
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    EINTR(4, "interrupted system call"),
    EIO(5, "input/output error"),
    EBADF(9, "bad file descriptor"),
    EAGAIN(11, "resource temporarily unavailable"),
    ENOMEM(12, "out of memory, or over the memlock limit"),
    EACCES(13, "permission denied"),
    EFAULT(14, "bad address"),
    EBUSY(16, "device or resource busy"),
    EEXIST(17, "already exists"),
    EXDEV(18, "invalid cross-device link"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "is a directory"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in the system"),
    EMFILE(24, "too many open files in this process"),
    ETXTBSY(26, "text file busy"),
    EFBIG(27, "file too large"),
    ENOSPC(28, "no space left on device"),
    ESPIPE(29, "illegal seek"),
    EROFS(30, "read-only file system"),
    EMLINK(31, "too many links"),
    EPIPE(32, "broken pipe"),
    ENAMETOOLONG(36, "file name too long"),
    ENOSYS(38, "not supported by this kernel"),
    ENOTEMPTY(39, "directory not empty"),
    ELOOP(40, "too many levels of symbolic links"),
    ETIME(62, "timer expired"),
    ENONET(64, "machine is not on the network"),
    EPROTO(71, "protocol error"),
    ENOTSOCK(88, "not a socket"),
    EMSGSIZE(90, "message too long"),
    ENOPROTOOPT(92, "protocol not available"),
    EOPNOTSUPP(95, "operation not supported"),
    EAFNOSUPPORT(97, "address family not supported"),
    EADDRINUSE(98, "address already in use"),
    EADDRNOTAVAIL(99, "address not available on this machine"),
    ENETDOWN(100, "network is down"),
    ENETUNREACH(101, "network is unreachable"),
    ECONNABORTED(103, "connection aborted"),
    ECONNRESET(104, "connection reset by peer"),
    ENOBUFS(105, "no buffer space available"),
    EISCONN(106, "already connected"),
    ENOTCONN(107, "not connected"),
    ETIMEDOUT(110, "connection timed out"),
    ECONNREFUSED(111, "connection refused"),
    EHOSTDOWN(112, "host is down"),
    EHOSTUNREACH(113, "no route to host"),
    EALREADY(114, "already in progress"),
    EINPROGRESS(115, "in progress"),
    EDQUOT(122, "disk quota exceeded"),
    ECANCELED(125, "interrupted");

    private static final Errno[] ALL = values();

    private static final int FIRST_RESTART = 512;
    private static final int LAST_RESTART = 516;

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    public int number() {
        return number;
    }

    /**
     * Whether an accept's result tells of a network error of that one connection: the manual asks to treat those like
     * {@code EAGAIN}.
     */
    public static boolean isPassingAcceptFailure(int result) {
        return ECONNABORTED.is(result)
                || ENETDOWN.is(result)
                || EPROTO.is(result)
                || ENOPROTOOPT.is(result)
                || EHOSTDOWN.is(result)
                || ENONET.is(result)
                || EHOSTUNREACH.is(result)
                || EOPNOTSUPP.is(result)
                || ENETUNREACH.is(result);
    }

    /**
     * Whether a result says that a signal broke the call off. Beside {@code EINTR}, the kernel has {@code ERESTARTSYS} and its
     * kin for that. Programs are not meant to see them, but a ring delivers them.
     */
    public static boolean isBrokenOff(int result) {
        return EINTR.is(result) || (result <= -FIRST_RESTART && result >= -LAST_RESTART);
    }

    /** Whether a call's result, a negated error number or a count, is this error. */
    public boolean is(long result) {
        return result == -number;
    }

    /** A short description with the symbolic name: {@code "connection refused (ECONNREFUSED)"}. */
    public static String describe(int number) {
        for (Errno errno : ALL) {
            if (errno.number == number) {
                return errno.text + " (" + errno.name() + ")";
            }
        }
        return "error " + number;
    }

    /** What happened, in a few words. */
    static String text(int number) {
        for (Errno errno : ALL) {
            if (errno.number == number) {
                return errno.text;
            }
        }
        return "error " + number;
    }

    /** The error that the system's C library describes so, or null when it is none that Skein knows. */
    public static @Nullable Errno describedAs(String text) {
        for (Errno errno : ALL) {
            if (errno.text.equalsIgnoreCase(text)) {
                return errno;
            }
        }
        return null;
    }

    /**
     * The exception for a failed operation.
     *
     * @param operation what was tried, a verb such as {@code "bind"}
     * @param subject on what, such as an address
     * @param number the positive error number
     */
    public static IOException exception(String operation, Object subject, int number) {
        String what = operation + " " + subject + ": ";
        for (Errno errno : ALL) {
            if (errno.number == number) {
                return errno.exception(operation, what + errno.text);
            }
        }
        return new IOException(what + "error " + number);
    }

    private IOException exception(String operation, String message) {
        boolean connecting = operation.equals("connect");
        return switch (this) {
            case ECONNREFUSED -> connecting ? new ConnectException(message) : new PortUnreachableException(message);
            case ETIMEDOUT -> connecting ? new ConnectException(message) : new SocketException(message);
            case EADDRINUSE -> new BindException(message);
            case EADDRNOTAVAIL -> connecting ? new ConnectException(message) : new BindException(message);
            case EACCES, EPERM -> operation.equals("bind") ? new BindException(message) : new SocketException(message);
            case EHOSTUNREACH, ENETUNREACH -> new NoRouteToHostException(message);
            case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ENETDOWN, EAFNOSUPPORT, EMSGSIZE ->
                new SocketException(message);
            case ECANCELED -> new InterruptedIOException(message);
            default -> new IOException(message);
        };
    }
}
