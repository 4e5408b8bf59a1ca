package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.linux.AbstractName;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;

/** A socket by system calls, for abstract names and for what no driver does. It does not block. */
final class RawUnixSocket implements AutoCloseable {
    private final int fd = Libc.socket(Libc.AF_UNIX, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC | Libc.SOCK_NONBLOCK, 0);

    int fd() {
        return fd;
    }

    void bind(String name) {
        long buffer = Libc.allocate(SocketAddresses.SIZE);
        try {
            int length = SocketAddresses.encode(new AbstractName(name), buffer);
            assertThat(Libc.bind(fd, buffer, length)).as("bind").isZero();
        } finally {
            Libc.free(buffer);
        }
    }

    /** Binds a path, whatever bytes it has. */
    void bindPath(byte[] path) {
        withPath(
                path,
                (address, length) ->
                        assertThat(Libc.bind(fd, address, length)).as("bind").isZero());
    }

    /** Connects to a path. */
    void connectPath(byte[] path) {
        withPath(
                path,
                (address, length) -> assertThat(Libc.connect(fd, address, length))
                        .as("connect")
                        .isZero());
    }

    private interface AddressCall {
        void make(long address, int length);
    }

    private static void withPath(byte[] path, AddressCall call) {
        long buffer = Libc.allocate(SocketAddresses.SIZE); // zeroed, so the path ends
        try {
            Memory.plainShort(buffer, (short) Libc.AF_UNIX);
            Memory.copy(path, 0, buffer + Short.BYTES, path.length);
            call.make(buffer, Short.BYTES + path.length + 1);
        } finally {
            Libc.free(buffer);
        }
    }

    /** Zero, or a negated error number. */
    int connect(String name) {
        long buffer = Libc.allocate(SocketAddresses.SIZE);
        try {
            return Libc.connect(fd, buffer, SocketAddresses.encode(new AbstractName(name), buffer));
        } finally {
            Libc.free(buffer);
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
