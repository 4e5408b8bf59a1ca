package io.skein.process;

import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import io.skein.net.Server;
import io.skein.net.UnixListener;
import io.skein.net.UnixStream;
import java.io.File;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A server of a Unix socket in a virtual machine where names of files are in ASCII, and clients whose names are not. Says "served" once
 * each was, an ordinary one before, meanwhile and after, and every descriptor came back.
 */
final class OddlyNamedPeers {
    private static final int PEERS = 20;

    private OddlyNamedPeers() {}

    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[1], "socket");
        try (Skein skein = Skein.builder()
                        .driver(DriverKind.valueOf(arguments[0]))
                        .failureHandler((_, failure) -> report(failure))
                        .start();
                UnixListener listener = UnixListener.bind(skein, path);
                Server server = Server.serve(skein, listener, OddlyNamedPeers::echo);
                UnixStream ordinary = UnixStream.connect(skein, path)) {
            expectEcho(ordinary);
            System.out.println("names in " + System.getProperty("sun.jnu.encoding"));
            int before = descriptors();
            for (int i = 0; i < PEERS; i++) {
                byte[] name = (arguments[1] + "/\u00fc" + i).getBytes(StandardCharsets.UTF_8);
                visit(name, path.toString().getBytes(StandardCharsets.UTF_8));
                expectEcho(ordinary);
            }
            while (server.connections() > 1 || descriptors() > before) {
                LockSupport.parkNanos(1_000_000);
            }
            System.out.println("served");
        }
    }

    /** The odd clients do not read the answer, which resets their connections. */
    private static void report(Throwable failure) {
        if (!(failure instanceof SocketException)) {
            System.out.println("failure " + failure);
        }
    }

    private static void echo(UnixStream stream) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(16);
        while (stream.read(buffer) >= 0) {
            System.out.println("peer " + stream.remoteAddress());
            stream.write(buffer.flip());
            buffer.clear();
        }
    }

    private static void expectEcho(UnixStream stream) throws IOException {
        stream.write(ByteBuffer.wrap(new byte[] {1}));
        stream.readFully(ByteBuffer.allocate(1));
    }

    /** A client by system calls: the JDK has no such names here. It sends a byte and waits for the answer. */
    private static void visit(byte[] name, byte[] path) {
        int fd = Libc.socket(Libc.AF_UNIX, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0);
        check("bind", Libc.bind(fd, address(name), Short.BYTES + name.length + 1));
        check("connect", Libc.connect(fd, address(path), Short.BYTES + path.length + 1));
        check("send", Libc.sendAtOnce(fd, address(path), 1));
        while (Libc.bytesToRead(fd) == 0) {
            LockSupport.parkNanos(1_000_000);
        }
        Libc.close(fd);
    }

    private static void check(String what, int result) {
        if (result < 0) {
            throw new AssertionError(what + ": " + result);
        }
    }

    private static long address(byte[] path) {
        long address = Libc.allocate(SocketAddresses.SIZE); // for a short life
        Memory.plainShort(address, (short) Libc.AF_UNIX);
        Memory.copy(path, 0, address + Short.BYTES, path.length);
        return address;
    }

    private static int descriptors() {
        String[] all = new File("/proc/self/fd").list();
        return all == null ? 0 : all.length;
    }
}
