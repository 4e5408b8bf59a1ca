package io.skein.internal.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.concurrent.atomic.LongAdder;

/**
 * The C library through the foreign function interface: no native code of our own, nothing to ship.
 *
 * <p>Any thread may call it. Every call answers as the kernel does, with a result or a negated error number,
 * so callers never look at {@code errno}. They are made once per connection or less and allocate a scratch segment for
 * {@code errno}; the one call on the hot path, {@code io_uring_enter}, has a handle of its own in the ring.
 */
public final class Libc {
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;
    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_TCP = 6;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_V6ONLY = 26;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_USER_TIMEOUT = 18;
    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;
    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_WAITALL = 0x100;
    public static final int O_CLOEXEC = 0x80000;
    public static final int EFD_CLOEXEC = 0x80000;
    public static final int PROT_READ_WRITE = 3;
    public static final int MAP_SHARED_POPULATE = 0x8001;
    private static final long FIONREAD = 0x541b;
    public static final int RLIMIT_NOFILE = 7;
    public static final int RLIMIT_MEMLOCK = 8;

    /** Room for 1024 processors, as many as the C library's own sets hold. */
    private static final long PROCESSOR_SET_BYTES = 128;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private static final FunctionDescriptor SYSCALL_SHAPE = FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SYSCALL = failing("syscall", SYSCALL_SHAPE, Linker.Option.firstVariadicArg(1));
    private static final MethodHandle SOCKET =
            failing("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            failing("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CONNECT =
            failing("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle LISTEN = failing("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT =
            failing("accept4", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SHUTDOWN =
            failing("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle TERSE_SHUTDOWN =
            link("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            failing("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKOPT =
            failing("getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle GETSOCKNAME =
            failing("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle GETPEERNAME =
            failing("getpeername", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle IOCTL = failing(
            "ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle GETRLIMIT =
            failing("getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle PIPE = failing("pipe2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FTRUNCATE =
            failing("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle EVENTFD = failing("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle MMAP = failing(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = link("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    private static final MethodHandle SCHED_GETAFFINITY =
            failing("sched_getaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle SCHED_SETAFFINITY =
            failing("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));

    private static final MethodHandle SEND =
            link("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle EVENTFD_WRITE =
            trivial("eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle CALLOC =
            trivial("calloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FREE = trivial("free", FunctionDescriptor.ofVoid(JAVA_LONG));

    /** How many calls of the kernel were made from here, all but {@code io_uring_enter}. */
    private static final LongAdder CALLS = new LongAdder();

    private Libc() {}

    /** How many calls of the kernel were made from here so far; rings count their enters themselves. */
    public static long calls() {
        return CALLS.sum();
    }

    /**
     * A handle of {@code syscall(2)} for a caller that makes it often: it takes the call's number and six arguments, and
     * does not tell why it failed. Telling costs an object at each call wherever the compiler does not see through it.
     */
    public static MethodHandle terseSyscall() {
        return link("syscall", SYSCALL_SHAPE, Linker.Option.firstVariadicArg(1));
    }

    public static long syscall(long number, long a, long b, long c, long d, long e, long f) {
        return call(errno -> (long) SYSCALL.invokeExact(errno, number, a, b, c, d, e, f));
    }

    public static int socket(int domain, int type, int protocol) {
        return (int) call(errno -> (int) SOCKET.invokeExact(errno, domain, type, protocol));
    }

    public static int bind(int fd, long address, int length) {
        return (int) call(errno -> (int) BIND.invokeExact(errno, fd, address, length));
    }

    /** Connects; only for sockets of datagrams and for those of Unix that do not block, which answer at once. */
    public static int connect(int fd, long address, int length) {
        return (int) call(errno -> (int) CONNECT.invokeExact(errno, fd, address, length));
    }

    public static int listen(int fd, int backlog) {
        return (int) call(errno -> (int) LISTEN.invokeExact(errno, fd, backlog));
    }

    /** Accepts a connection at a socket that does not block; what is accepted blocks. */
    public static int accept(int fd) {
        return (int) call(errno -> (int) ACCEPT.invokeExact(errno, fd, 0L, 0L, SOCK_CLOEXEC));
    }

    public static int shutdown(int fd, int how) {
        return (int) call(errno -> (int) SHUTDOWN.invokeExact(errno, fd, how));
    }

    /** As {@link #shutdown}, for who does not ask what became of it: takes no memory, for others may be waiting to be woken by it. */
    public static void shutdownTersely(int fd, int how) {
        CALLS.increment();
        try {
            int ignored = (int) TERSE_SHUTDOWN.invokeExact(fd, how);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    public static int setIntOption(int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocateFrom(JAVA_INT, value);
            return (int) call(errno -> (int) SETSOCKOPT.invokeExact(errno, fd, level, option, cell, 4));
        }
    }

    /** Sets an option whose value is several ints, or other bytes. */
    public static int setOption(int fd, int level, int option, MemorySegment value) {
        int length = (int) value.byteSize();
        return (int) call(errno -> (int) SETSOCKOPT.invokeExact(errno, fd, level, option, value, length));
    }

    /** An option's value that is not negative, or a negated error number. */
    public static int getIntOption(int fd, int level, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_INT);
            int result = getOption(fd, level, option, cell);
            return result < 0 ? result : cell.get(JAVA_INT, 0);
        }
    }

    /** Fills {@code value} with an option's value, as far as that has room or the kernel has bytes. */
    public static int getOption(int fd, int level, int option, MemorySegment value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) value.byteSize());
            return (int) call(errno -> (int) GETSOCKOPT.invokeExact(errno, fd, level, option, value, length));
        }
    }

    /**
     * Fills {@code address} with the socket's own address; it has room for {@link SocketAddresses#SIZE} bytes.
     *
     * @return the length of the address, or a negated error number
     */
    public static int localName(int fd, MemorySegment address) {
        return name(GETSOCKNAME, fd, address);
    }

    /** As {@link #localName}, but of the socket's peer. */
    public static int peerName(int fd, MemorySegment address) {
        return name(GETPEERNAME, fd, address);
    }

    private static int name(MethodHandle query, int fd, MemorySegment address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocateFrom(JAVA_INT, SocketAddresses.SIZE);
            int result = (int) call(errno -> (int) query.invokeExact(errno, fd, address, length));
            return result < 0 ? result : length.get(JAVA_INT, 0);
        }
    }

    /** How many bytes a read would find at once, or a negated error number. */
    public static int bytesToRead(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int result = (int) call(errno -> (int) IOCTL.invokeExact(errno, fd, FIONREAD, count));
            return result < 0 ? result : count.get(JAVA_INT, 0);
        }
    }

    /** Sends as much as goes out without waiting: the count of bytes, or a negative number which does not tell why. */
    public static int sendAtOnce(int fd, long bytes, int length) {
        CALLS.increment();
        try {
            return (int) (long) SEND.invokeExact(fd, bytes, (long) length, MSG_NOSIGNAL | MSG_DONTWAIT);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    /**
     * Gives a descriptor back, whatever the kernel answers. It takes no memory, since many a descriptor is closed because there was
     * none.
     */
    public static void close(int fd) {
        CALLS.increment();
        try {
            int ignored = (int) CLOSE.invokeExact(fd);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    /** Writes the descriptors of a new pipe to two ints: the one to read from, and the one to write to. */
    public static int pipe(long pair) {
        return (int) call(errno -> (int) PIPE.invokeExact(errno, pair, O_CLOEXEC));
    }

    /** Sets a file's size; it may block. */
    public static int ftruncate(int fd, long size) {
        return (int) call(errno -> (int) FTRUNCATE.invokeExact(errno, fd, size));
    }

    public static int eventfd() {
        return (int) call(errno -> (int) EVENTFD.invokeExact(errno, 0, EFD_CLOEXEC));
    }

    /** Adds one to an eventfd. It cannot fail on an open eventfd that somebody reads. */
    public static void signalEventfd(int fd) {
        CALLS.increment();
        try {
            int ignored = (int) EVENTFD_WRITE.invokeExact(fd, 1L);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    public static long map(int fd, long length, long offset) {
        return call(
                errno -> (long) MMAP.invokeExact(errno, 0L, length, PROT_READ_WRITE, MAP_SHARED_POPULATE, fd, offset));
    }

    /** Ends a mapping. As {@link #close}, it takes no memory. */
    public static void unmap(long address, long length) {
        CALLS.increment();
        try {
            int ignored = (int) MUNMAP.invokeExact(address, length);
        } catch (Error e) {
            throw e; // no stack left, most likely
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    /** The soft and the hard limit; -1 stands for unlimited. */
    public static long[] resourceLimit(int resource) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(JAVA_LONG, 2);
            call(errno -> (int) GETRLIMIT.invokeExact(errno, resource, pair));
            return new long[] {pair.getAtIndex(JAVA_LONG, 0), pair.getAtIndex(JAVA_LONG, 1)};
        }
    }

    /**
     * The processors that the calling thread may use, as a set of bits; empty when the kernel does not say.
     */
    public static BitSet processors() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment allowed = arena.allocate(PROCESSOR_SET_BYTES, Long.BYTES);
            long result = call(errno -> (int) SCHED_GETAFFINITY.invokeExact(errno, 0, PROCESSOR_SET_BYTES, allowed));
            return result < 0 ? new BitSet() : BitSet.valueOf(allowed.toArray(JAVA_LONG));
        }
    }

    /** Binds the calling thread to a set of processors; returns 0 or a negated error number. */
    public static int bindTo(BitSet processors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wanted = arena.allocate(PROCESSOR_SET_BYTES, Long.BYTES);
            long[] words = processors.toLongArray();
            MemorySegment.copy(words, 0, wanted, JAVA_LONG, 0, words.length);
            return (int) call(errno -> (int) SCHED_SETAFFINITY.invokeExact(errno, 0, PROCESSOR_SET_BYTES, wanted));
        }
    }

    /** Zeroed memory that lives until {@link #free}. */
    public static long allocate(long bytes) {
        try {
            long address = (long) CALLOC.invokeExact(1L, bytes);
            if (address == 0) {
                throw new OutOfMemoryError("no native memory for " + bytes + " bytes");
            }
            return address;
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    public static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    /** A call of the C library that reports failure through {@code errno}. */
    private interface FailingCall {
        long invoke(MemorySegment errno) throws Throwable;
    }

    private static long call(FailingCall call) {
        CALLS.increment();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(Linker.Option.captureStateLayout());
            long result = call.invoke(errno);
            return result == -1 ? -errno.get(ValueLayout.JAVA_INT, 0) : result;
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    private static MethodHandle failing(String name, FunctionDescriptor shape, Linker.Option... more) {
        Linker.Option[] options = new Linker.Option[more.length + 1];
        options[0] = ERRNO;
        System.arraycopy(more, 0, options, 1, more.length);
        return link(name, shape, options);
    }

    /** Links a call that returns at once, so that it can skip the thread's state change. */
    private static MethodHandle trivial(String name, FunctionDescriptor shape) {
        return link(name, shape, Linker.Option.critical(false));
    }

    @SuppressWarnings("restricted") // the shapes above are the C library's
    private static MethodHandle link(String name, FunctionDescriptor shape, Linker.Option... options) {
        MemorySegment symbol = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException("the C library has no " + name));
        return LINKER.downcallHandle(symbol, shape, options);
    }

    /** A method handle linked with the right shape throws nothing; if it does, the code is wrong. */
    public static AssertionError broken(Throwable cause) {
        return new AssertionError("native call failed outside the kernel", cause);
    }
}
