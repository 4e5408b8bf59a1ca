package io.skein.bench.load;

import io.skein.internal.io.uring.Ring;
import io.skein.internal.io.uring.Sqe;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/** Connected sockets of one run, registered with the ring under 0, 1, 2, …, and the bytes that they send. */
final class RingSockets implements AutoCloseable {
    private static final byte IORING_OP_CONNECT = 16;
    private static final int IORING_REGISTER_FILES = 2;

    private final Arena memory;
    private final Ring ring;
    private final int[] descriptors;
    private final long request;
    private final boolean datagrams;
    private int opened;

    /** @param memory outlives the ring, because the kernel may read it for as long as the ring is open */
    RingSockets(Ring ring, Arena memory, LoadOrder order) throws IOException {
        this.ring = ring;
        this.memory = memory;
        datagrams = order.scenario().traffic() == Traffic.DATAGRAMS;
        descriptors = new int[order.connections()];
        request = memory.allocate(order.size()).address();
        boolean complete = false;
        try {
            InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), order.port());
            while (opened < descriptors.length) {
                connect(server);
            }
            register();
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    /** The address of the bytes that every request consists of. */
    long request() {
        return request;
    }

    private void connect(InetSocketAddress server) throws IOException {
        int fd = require(
                "socket",
                Libc.socket(
                        SocketAddresses.family(server),
                        (datagrams ? Libc.SOCK_DGRAM : Libc.SOCK_STREAM) | Libc.SOCK_CLOEXEC,
                        0));
        descriptors[opened++] = fd;
        if (!datagrams) {
            require("TCP_NODELAY", Libc.setIntOption(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY, 1));
        }
        long address = memory.allocate(SocketAddresses.SIZE, Long.BYTES).address();
        int length = SocketAddresses.encode(server, address);
        Sqe sqe = Objects.requireNonNull(ring.submissions().next(), "a free submission entry");
        sqe.opcode(IORING_OP_CONNECT).fd(fd).buffer(address, 0).offset(length).write(0);
        require("io_uring_enter", ring.enter(1, Long.MAX_VALUE));
        int[] outcome = new int[1];
        ring.completions().drain((userData, result, flags) -> outcome[0] = result);
        require("connect " + SocketAddresses.text(server), outcome[0]);
    }

    private void register() throws IOException {
        long array = memory.allocate((long) Integer.BYTES * descriptors.length, Integer.BYTES)
                .address();
        for (int i = 0; i < descriptors.length; i++) {
            Memory.plainInt(array + (long) Integer.BYTES * i, descriptors[i]);
        }
        require("io_uring_register", ring.register(IORING_REGISTER_FILES, array, descriptors.length));
    }

    private static int require(String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": " + Errno.describe(-result));
        }
        return result;
    }

    /** Ends the connections at once, though the ring still refers to the sockets until it is closed. */
    @Override
    public void close() {
        for (int i = 0; i < opened; i++) {
            Libc.shutdown(descriptors[i], Libc.SHUT_RDWR);
            Libc.close(descriptors[i]);
        }
    }
}
