package io.skein.internal.io.uring;

import io.skein.internal.io.Arrival;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Memory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams by the batch, for one socket. One thread may receive while another sends.
 *
 * <p>All bytes go through buffers of the pool: what comes may come in other entries than the first.
 */
final class PacketBatches {
    /** So many datagrams that have come together may be received one by one before a look finds them. */
    private static final int LONGEST_PAUSE = 16;

    private final int fd;
    private final boolean ipv6;
    private final NativeBuffers pool;

    /** Made when they are first needed: the one by who receives, the other by who sends. */
    private @Nullable MessageBatch incoming;

    private @Nullable MessageBatch outgoing;

    /**
     * How many are looked for next: as many as came last, and twice as many if that was all that was looked for. A look for one that
     * is not there costs almost as much as one that is. Of who receives.
     */
    private int expected = 1;

    /** How many times nothing is looked for, because the last looks were in vain, and how many of them are to come. Of who receives. */
    private int pause;

    private int pausing;

    /** Why the last receive brought nothing, or 0. Of who receives. */
    private int refusal;

    /** Of who sends. */
    private int failed;

    PacketBatches(int fd, boolean ipv6, NativeBuffers pool) {
        this.fd = fd;
        this.ipv6 = ipv6;
        this.pool = pool;
    }

    /**
     * Takes what is there without waiting: maybe not all, maybe nothing. A look in vain costs as much as a receive; where datagrams come
     * one at a time all looks are, so it does not look each time.
     */
    List<Arrival> receive(Submitter submitter, ByteBuffer[] targets) {
        if (pausing > 0) {
            pausing--;
            refusal = 0;
            return List.of();
        }
        MessageBatch batch = incoming;
        if (batch == null) {
            batch = new MessageBatch(fd, ipv6, Message.Direction.INCOMING_NOW);
            incoming = batch;
        }
        int count = Math.min(targets.length, expected);
        List<Long> buffers = takeBuffers(count);
        try {
            for (int i = 0; i < count; i++) {
                batch.part(i).prepareReceive(buffers.get(i), NativeBuffers.SIZE);
            }
            batch.perform(submitter, Deadline.NONE, count);
            List<Arrival> arrivals = new ArrayList<>();
            refusal = 0;
            int vain = 0;
            for (int i = 0; i < count; i++) {
                MessageBatch.Part part = batch.part(i);
                if (part.result() >= 0) {
                    copy(buffers.get(i), targets[arrivals.size()], part.result());
                    arrivals.add(new Arrival(part.peer(), part.result()));
                } else if (Errno.EAGAIN.is(part.result())) {
                    vain++;
                } else if (!Errno.ECANCELED.is(part.result())) {
                    refusal = part.result();
                }
            }
            int came = arrivals.size();
            expected = Math.clamp(came == count ? 2L * came : came, 1, MessageBatch.SIZE);
            pause = vain < count ? 0 : Math.clamp(2L * pause, 1, LONGEST_PAUSE);
            pausing = pause;
            return arrivals;
        } finally {
            giveBack(buffers);
        }
    }

    /** The negated error number that the last receive got, or 0. */
    int refusal() {
        return refusal;
    }

    private static void copy(long source, ByteBuffer target, int length) {
        int room = Math.min(length, target.remaining());
        target.put(Memory.range(source, room).asByteBuffer());
    }

    /**
     * Sends some of the sources, a batch at most; the positions say which.
     *
     * @return 0, or the negated error number of the first that {@link #failed}
     */
    int send(
            Submitter submitter,
            long deadline,
            ByteBuffer[] sources,
            @Nullable InetSocketAddress[] targets,
            int first,
            int count) {
        MessageBatch batch = outgoing;
        if (batch == null) {
            batch = new MessageBatch(fd, ipv6, Message.Direction.OUTGOING);
            outgoing = batch;
        }
        List<Long> buffers = takeBuffers(count);
        try {
            for (int i = 0; i < count; i++) {
                ByteBuffer source = sources[first + i];
                if (source.remaining() > NativeBuffers.SIZE) {
                    failed = first + i;
                    return -Errno.EMSGSIZE.number();
                }
                Memory.range(buffers.get(i), source.remaining()).asByteBuffer().put(source.duplicate());
                batch.part(i).prepareSend(buffers.get(i), source.remaining(), targets[first + i]);
            }
            int result = batch.perform(submitter, deadline, count);
            for (int i = count - 1; i >= 0; i--) {
                int sent = batch.part(i).result();
                if (sent >= 0) {
                    sources[first + i].position(sources[first + i].limit());
                } else {
                    failed = first + i;
                    result = Errno.ECANCELED.is(sent) ? result : sent;
                }
            }
            return result;
        } finally {
            giveBack(buffers);
        }
    }

    /** Which of the sources was the first that was not sent. */
    int failed() {
        return failed;
    }

    private List<Long> takeBuffers(int count) {
        List<Long> buffers = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                buffers.add(pool.take());
            }
        } catch (Throwable e) { // no memory
            giveBack(buffers);
            throw e;
        }
        return buffers;
    }

    /** Takes no memory: there may be none. */
    private void giveBack(List<Long> buffers) {
        for (int i = 0; i < buffers.size(); i++) {
            pool.giveBack(buffers.get(i));
        }
    }

    /** Gives the memory back; nobody receives or sends any more. */
    void free() {
        if (incoming != null) {
            incoming.free();
        }
        if (outgoing != null) {
            outgoing.free();
        }
    }
}
