package io.skein.internal.io.uring;

import io.skein.internal.Budget;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.FileCopy;
import io.skein.internal.io.FileHandle;
import io.skein.internal.io.Lane;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket on a ring.
 *
 * <p>One reader and one writer at a time, close from anywhere. Each side has
 * one operation that it uses again and again, so a read or write allocates nothing.
 */
final class UringStream extends UringSocket implements StreamSocket {
    /** As {@link Peer} knows it, or {@link Peer#NONE} where the address is kept. */
    private final long peer;

    private final @Nullable SocketAddress remoteAddress;

    private final Take take;
    private final Put put;

    /** Made when it is first needed, by the writer. */
    private volatile @Nullable Gather gather;

    private volatile boolean inputShut;

    private volatile boolean outputShut;

    UringStream(UringBackend backend, Submitter submitter, int fd, SocketAddress local, SocketAddress remote) {
        super(backend, submitter, fd, local);
        this.peer = Peer.number(remote);
        this.remoteAddress = peer == Peer.NONE ? remote : null;
        Home home = new Home();
        this.take = new Take(fd, home, backend.buffers(), backend.inflows(), backend.receiveHints());
        this.put = new Put(fd, home, backend.buffers(), new Outflow(fd, backend.wholeSends()));
        opened();
    }

    @Override
    public int read(ByteBuffer target, long timeoutNanos) throws IOException {
        enterRead("read", this);
        try {
            if (!target.hasRemaining()) {
                return 0;
            }
            return inputShut ? -1 : count(take.read(submitter, Deadline.after(timeoutNanos), target), timeoutNanos);
        } finally {
            leaveRead();
        }
    }

    /** Goes on to the next buffer when the last is full and more is there. */
    @Override
    public long read(ByteBuffer[] targets, long timeoutNanos) throws IOException {
        enterRead("read", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            long total = 0;
            for (ByteBuffer target : targets) {
                if (!target.hasRemaining()) {
                    continue;
                }
                if (inputShut) {
                    return total > 0 ? total : -1;
                }
                int result = take.read(submitter, deadline, target);
                if (result <= 0) {
                    return total > 0 ? total : count(result, timeoutNanos);
                }
                total += result;
                if (target.hasRemaining() || !take.leftSome()) {
                    break;
                }
            }
            return total;
        } finally {
            leaveRead();
        }
    }

    @Override
    public @Nullable Loan receive(LeasePool pool, long timeoutNanos) throws IOException {
        enterRead("receive", this);
        try {
            if (inputShut) {
                return null;
            }
            int result = take.read(submitter, Deadline.after(timeoutNanos), pool);
            return count(result, timeoutNanos) < 0 ? null : take.lent();
        } finally {
            leaveRead();
        }
    }

    /** What a read returns or throws. */
    private int count(int result, long timeoutNanos) throws IOException {
        if (result > 0) {
            return result;
        }
        if (!isClosed() && (result == 0 || inputShut)) {
            return -1;
        }
        throw exception("read", this, result, timeoutNanos);
    }

    @Override
    public void write(ByteBuffer source, long timeoutNanos) throws IOException {
        enterWrite("write", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            while (source.hasRemaining()) {
                int result = put.write(submitter, deadline, source);
                checkWrite(result, source.hasRemaining(), deadline, timeoutNanos);
            }
        } finally {
            leaveWrite();
        }
    }

    @Override
    public void send(Loan loan, long timeoutNanos) throws IOException {
        boolean ours = true;
        try {
            enterWrite("write", this);
            try {
                long deadline = Deadline.after(timeoutNanos);
                while (ours && loan.bytes().hasRemaining()) {
                    int result;
                    try {
                        result = put.write(submitter, deadline, loan);
                    } finally { // a wait that fails may have been for a loan that is handed on by now
                        ours = !put.handedOn();
                    }
                    checkWrite(result, ours && loan.bytes().hasRemaining(), deadline, timeoutNanos);
                }
            } finally {
                leaveWrite();
            }
        } finally {
            if (ours) {
                loan.giveBack();
            }
        }
    }

    @Override
    public void write(ByteBuffer[] sources, long timeoutNanos) throws IOException {
        enterWrite("write", this);
        try {
            Gather gathering = gather;
            if (gathering == null) {
                gathering = new Gather(fd, put.outflow.flags());
                gather = gathering;
            }
            long deadline = Deadline.after(timeoutNanos);
            settle(deadline, timeoutNanos);
            while (hasRemaining(sources)) {
                int result;
                try {
                    result = gathering.perform(submitter, deadline, sources, backend.buffers());
                } finally {
                    Reference.reachabilityFence(sources); // until here the kernel may read from them
                }
                checkWrite(result, hasRemaining(sources), deadline, timeoutNanos);
            }
        } finally {
            leaveWrite();
        }
    }

    private static boolean hasRemaining(ByteBuffer[] sources) {
        for (ByteBuffer source : sources) {
            if (source.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    private void checkWrite(int outcome, boolean moreToDo, long deadline, long timeoutNanos) throws IOException {
        int result = isLetGo(outcome) ? -Errno.EPIPE.number() : outcome;
        if (Errno.EPIPE.is(result) || Errno.ECONNRESET.is(result)) {
            put.outflow.shut(); // the next write may be a small one, which would not hear of it
        }
        if (result < 0) {
            throw exception("write", this, result, timeoutNanos);
        }
        if (moreToDo) {
            if (Deadline.isPassed(deadline)) {
                throw Deadline.exception("write", this, timeoutNanos);
            }
            Budget.spend(); // a large one may go on for long without waiting
        }
    }

    /** Whether a write has ended because another thread has shut the output down. */
    private boolean isLetGo(int result) {
        return outputShut
                && (Errno.ECANCELED.is(result) || Errno.isBrokenOff(result))
                && !Thread.currentThread().isInterrupted();
    }

    /** Sees to it that what was written before has gone out. */
    private void settle(long deadline, long timeoutNanos) throws IOException {
        int result = put.settle(submitter, deadline);
        if (result < 0) {
            checkWrite(result, false, deadline, timeoutNanos);
        }
    }

    @Override
    public long sendFile(FileHandle file, long position, long count, long timeoutNanos) throws IOException {
        if (!(file instanceof UringFile source)) {
            return FileCopy.send(this, file, position, count, timeoutNanos);
        }
        enterWrite("write", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            settle(deadline, timeoutNanos);
            SendFile sending = new SendFile(submitter, source, fd);
            long sent = sending.perform(position, count, deadline);
            if (sent == 0 && sending.failure() < 0) {
                throw exception("write", this, sending.failure(), timeoutNanos);
            }
            return sent;
        } finally {
            leaveWrite();
        }
    }

    @Override
    public int held() {
        return take.home.lane() == submitter.lane() ? take.held() : 0;
    }

    @Override
    public int available() throws IOException {
        enterBriefly("available", this);
        try {
            if (inputShut) {
                return 0;
            }
            int held = take.held(); // before the kernel's: bytes go from there to here, and none is to count twice
            int kernels = Libc.bytesToRead(fd);
            if (kernels < 0) {
                throw Errno.exception("available", this, -kernels);
            }
            return held + kernels;
        } finally {
            leaveBriefly();
        }
    }

    /** The kernel would still deliver what comes later; the flag is what keeps it from readers. */
    @Override
    public void shutdownInput() throws IOException {
        inputShut = true;
        shutdown(Libc.SHUT_RD);
    }

    /**
     * What was written before goes out first; nobody waits for that. A write that the kernel has is cancelled too:
     * older kernels look at a Unix socket's readiness only, which is not changed by this.
     */
    @Override
    public void shutdownOutput() throws IOException {
        enterBriefly("shutdown", this);
        try {
            outputShut = true;
            int result = new EndOfOutput(put.outflow, put.home).performUninterruptibly(submitter);
            put.cancelFromOutside();
            Gather gathering = gather;
            if (gathering != null) {
                gathering.cancelFromOutside();
            }
            if (result < 0) {
                throw exception("shutdown", this, result, 0);
            }
        } finally {
            leaveBriefly();
        }
    }

    @Override
    public SocketAddress remoteAddress() {
        SocketAddress kept = remoteAddress;
        return kept == null ? Peer.address(peer) : kept;
    }

    /**
     * Ends the receive and the send that are in flight: the one sees the end of the stream, the other an error. Bytes whose write
     * has returned go out first; while the peer does not let them, only the receive is ended, and a writer who waits is let go.
     */
    @Override
    protected void evictReader() {
        Libc.shutdownTersely(fd, Libc.SHUT_RD);
    }

    @Override
    protected void evict() {
        Outflow outflow = put.outflow;
        Lane at = put.home.lane();
        boolean orderly = false;
        try {
            orderly = at == null || !outflow.isInFlight() || !submitter.serves() || outflow.evict(submitter, at);
        } finally { // without memory for it nobody can wait for the bytes, and the writer has to be let go all the same
            Libc.shutdownTersely(fd, orderly && outflow.isInFlight() ? Libc.SHUT_RD : Libc.SHUT_RDWR);
        }
    }

    @Override
    protected void release() {
        lingerNoMore();
        Outflow outflow = put.outflow;
        if (outflow.isInFlight() && !submitter.serves()) {
            outflow.breakOff();
        }
        Lane at = put.home.lane();
        if (at != null && outflow.isInFlight()) { // before the descriptor is gone: up to there, all may be done again
            outflow.limit(at, Outflow.FAREWELL_NANOS);
        }
        Close.close(submitter, fd, at, () -> {
            take.close();
            outflow.close();
        });
        take.forgetDeadline();
        put.forgetDeadline();
        if (gather != null) {
            gather.forgetDeadline();
        }
    }

    @Override
    public String toString() {
        return SocketAddresses.text(remoteAddress());
    }
}
