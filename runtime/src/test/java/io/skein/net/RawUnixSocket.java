package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.linux.AbstractName;
import io.skein.internal.linux.Libc;
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
