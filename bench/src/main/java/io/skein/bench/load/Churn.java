package io.skein.bench.load;

import io.skein.internal.io.uring.CompletionQueue;
import io.skein.internal.io.uring.Ring;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * Connections that last for one request: connect, send and receive are a chain of which the kernel reports the end. They
 * come from many loopback addresses, because the ports of one would be used up within a second. One thread.
 */
final class Churn implements CompletionQueue.Consumer, AutoCloseable {
    private static final byte IORING_OP_CONNECT = 16;
    private static final byte IORING_OP_SEND = 26;
    private static final byte IORING_OP_RECV = 27;
    private static final int IOSQE_IO_LINK = 1 << 2;
    private static final int IOSQE_CQE_SKIP_SUCCESS = 1 << 6;
    private static final int IPPROTO_IP = 0;
    private static final int IP_BIND_ADDRESS_NO_PORT = 24;
    private static final int SOURCES = 200;
    private static final int NONE = -1;

    private final Ring ring;
    private final MeasuredWindow window;
    private final int size;
    private final long server;
    private final int serverLength;
    private final long[] sources = new long[SOURCES];
    private final long request;
    private final long reply;
    private final int[] descriptors;
    private final long[] openedAt;
    private long now;
    private int opened;
    private int failure;

    /** @param memory outlives the ring, because the kernel may read it for as long as the ring is open */
    Churn(Ring ring, Arena memory, LoadOrder order, MeasuredWindow window) throws IOException {
        this.ring = ring;
        this.window = window;
        size = order.size();
        request = memory.allocate(size).address();
        reply = memory.allocate(size).address();
        descriptors = new int[order.connections()];
        Arrays.fill(descriptors, NONE);
        openedAt = new long[order.connections()];
        server = memory.allocate(SocketAddresses.SIZE, Long.BYTES).address();
        serverLength = SocketAddresses.encode(
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), order.port()), server);
        for (int i = 0; i < SOURCES; i++) {
            sources[i] = memory.allocate(SocketAddresses.SIZE, Long.BYTES).address();
            byte[] address = {127, 0, 3, (byte) (i + 1)};
            SocketAddresses.encode(new InetSocketAddress(InetAddress.getByAddress(address), 0), sources[i]);
        }
    }

    void toEnd() throws IOException {
        now = System.nanoTime();
        window.startRamp(now);
        for (int slot = 0; slot < descriptors.length; slot++) {
            open(slot);
        }
        do {
            RingRun.enter(ring, 1, Long.MAX_VALUE);
            now = System.nanoTime();
            ring.completions().drain(this);
            if (failure != 0) {
                throw RingRun.failure(failure);
            }
        } while (window.runsAt(now));
    }

    @Override
    public void complete(long slot, int result, int flags) {
        if (result != size) {
            // What follows a failed link is cancelled: the failure itself is told before.
            failure = failure != 0 ? failure : result < 0 ? result : -Errno.ECONNRESET.number();
            return;
        }
        close((int) slot);
        window.reply(now - openedAt[(int) slot]);
        open((int) slot);
    }

    private void open(int slot) {
        int fd = Libc.socket(Libc.AF_INET, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, Libc.IPPROTO_TCP);
        if (fd < 0) {
            failure = fd;
            return;
        }
        descriptors[slot] = fd;
        openedAt[slot] = now;
        Libc.setIntOption(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY, 1);
        Libc.setIntOption(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
        Libc.bind(fd, sources[opened++ % SOURCES], serverLength);
        RingRun.next(ring)
                .opcode(IORING_OP_CONNECT)
                .flags(IOSQE_IO_LINK | IOSQE_CQE_SKIP_SUCCESS)
                .fd(fd)
                .buffer(server, 0)
                .offset(serverLength)
                .write(slot);
        RingRun.next(ring)
                .opcode(IORING_OP_SEND)
                .flags(IOSQE_IO_LINK | IOSQE_CQE_SKIP_SUCCESS)
                .fd(fd)
                .buffer(request, size)
                .operationFlags(Libc.MSG_WAITALL | Libc.MSG_NOSIGNAL)
                .write(slot);
        RingRun.next(ring)
                .opcode(IORING_OP_RECV)
                .fd(fd)
                .buffer(reply, size)
                .operationFlags(Libc.MSG_WAITALL)
                .write(slot);
    }

    private void close(int slot) {
        Libc.close(descriptors[slot]);
        descriptors[slot] = NONE;
    }

    /** Breaks off what is under way. */
    @Override
    public void close() {
        for (int slot = 0; slot < descriptors.length; slot++) {
            if (descriptors[slot] != NONE) {
                Libc.shutdown(descriptors[slot], Libc.SHUT_RDWR);
                close(slot);
            }
        }
    }
}
