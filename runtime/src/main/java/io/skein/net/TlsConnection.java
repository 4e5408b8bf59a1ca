package io.skein.net;

import io.skein.internal.Headroom;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One end of a TLS connection. Its callers are coroutines of its runtime; one may read while another writes, and any may
 * close it.
 *
 * <p>Invariants. Who has set {@code reading} or {@code writing} is the reader or the writer, until it clears it. The input belongs to
 * who makes the handshake until that is done, and to the reader from then on. Once {@code closed} is set, nobody becomes reader or
 * writer but to say goodbye or to clear up, and that one stays it.
 */
final class TlsConnection {
    private final TcpStream transport;
    private final TlsOptions options;
    private final TlsInput input;
    private final TlsOutput output;
    private final TlsHandshake handshake;
    private final AtomicBoolean reading = new AtomicBoolean();
    private final AtomicBoolean writing = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Whether somebody is shutting the output down, who may be the writer meanwhile. */
    private final AtomicBoolean shutting = new AtomicBoolean();

    /** Whether the transport's output was shut down, beside a writer. */
    private volatile boolean outputCut;

    private volatile Duration readTimeout;
    private volatile Duration writeTimeout = Duration.ZERO;

    TlsConnection(TcpStream transport, TlsOptions options, TlsEngine engine, Scheduler scheduler) {
        this.transport = transport;
        this.options = options;
        this.output = new TlsOutput(engine, transport);
        this.input = new TlsInput(engine, transport, output);
        this.readTimeout = options.readTimeout();
        this.handshake = new TlsHandshake(engine, input, output, scheduler.blockingPool());
    }

    void readTimeout(Duration limit) {
        readTimeout = limit;
    }

    Duration readTimeout() {
        return readTimeout;
    }

    void writeTimeout(Duration limit) {
        writeTimeout = limit;
    }

    Duration writeTimeout() {
        return writeTimeout;
    }

    boolean isHandshakeDone() {
        return handshake.isDone();
    }

    void handshake() throws IOException {
        if (!handshake.isDone()) {
            Headroom.toNest(); // one that is broken off is lost
        }
        checkOpen("handshake");
        handshake.ensure(options.handshakeTimeout(), peer());
    }

    int read(ByteBuffer target) throws IOException {
        Headroom.toNest(); // who reads stops reading
        checkOpen("read");
        if (!reading.compareAndSet(false, true)) {
            throw new ReadPendingException();
        }
        try {
            handshake();
            if (!target.hasRemaining()) {
                return 0;
            }
            transport.readTimeout(readTimeout);
            int count = input.read(target);
            if (count < 0) {
                checkOpen("read"); // a goodbye that answers our own is not what the reader has waited for
            }
            return count;
        } finally {
            leaveRead();
        }
    }

    void write(ByteBuffer source) throws IOException {
        enterWrite("write");
        try {
            handshake();
            Limits.within(writeTimeout, () -> "write " + peer(), () -> {
                output.write(source);
                return true;
            });
        } finally {
            leaveWrite();
        }
    }

    /**
     * Says goodbye. A writer that is there is let go by shutting the transport's output down, without a goodbye: the peer shall not take
     * what it has of that write for complete.
     */
    void shutdownOutput() throws IOException {
        Headroom.toNest(); // who writes stops writing
        checkOpen("shutdown");
        if (outputCut || !shutting.compareAndSet(false, true)) {
            return; // it is shut, or somebody else is about to
        }
        try {
            if (writing.compareAndSet(false, true)) {
                sayGoodbyeAsWriter();
            } else {
                checkOpen("shutdown"); // the goodbye of a close is not to be cut
                transport.shutdownOutput();
                outputCut = true;
            }
        } finally {
            shutting.set(false);
        }
    }

    private void sayGoodbyeAsWriter() throws IOException {
        try {
            handshake();
            output.closeNotify();
        } finally {
            leaveWrite();
        }
    }

    private void enterWrite(String operation) throws SocketException {
        Headroom.toNest(); // who writes stops writing
        checkOpen(operation);
        if (!writing.compareAndSet(false, true)) {
            throw new WritePendingException();
        }
    }

    private void leaveRead() {
        reading.set(false);
        if (closed.get()) {
            discardInput();
        }
    }

    private void leaveWrite() {
        writing.set(false);
        if (closed.get()) {
            discardOutput();
        }
    }

    private void discardInput() {
        if (handshake.isDone() && reading.compareAndSet(false, true)) { // or it belongs to who makes the handshake
            input.discard();
        }
    }

    private void discardOutput() {
        if (writing.compareAndSet(false, true)) {
            output.discard();
        }
    }

    private void checkOpen(String operation) throws SocketException {
        if (closed.get()) {
            throw new SocketException(operation + " " + peer() + ": closed");
        }
    }

    private String peer() {
        return SocketAddresses.text(transport.remoteAddress());
    }

    /** Marks it as closed. Returns false if it was. */
    boolean beginClose() {
        Headroom.toNest(); // it is closed once
        return closed.compareAndSet(false, true);
    }

    /** Says goodbye, if it can be done in time, and closes the transport. After {@link #beginClose}. */
    void endClose() {
        boolean interrupted = Thread.interrupted(); // it must not keep the goodbye from being said
        try {
            Limits.within(options.closeTimeout(), () -> "close " + peer(), () -> {
                sayGoodbye(!interrupted);
                return true;
            });
        } catch (IOException | RuntimeException e) {
            // without a goodbye, then
        } finally {
            abandon();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the transport. After {@link #beginClose}. */
    void abandon() {
        transport.close();
        discardInput();
        discardOutput();
    }

    /**
     * What the peer sends is read to its end, because the kernel answers unread bytes by a reset, which may take from the peer what
     * we have sent: the last data, or the alert that says why we refused.
     */
    private void sayGoodbye(boolean andHearPeers) throws IOException {
        if (handshake.isDone()) {
            if (!writing.compareAndSet(false, true)) {
                return; // in the middle of a write: the peer shall not take it for complete
            }
            output.closeNotify();
            output.discard();
        } else if (!handshake.isRefused()) {
            return;
        }
        if (andHearPeers && reading.compareAndSet(false, true)) {
            try {
                transport.shutdownOutput();
                input.drain(handshake.isDone());
            } finally {
                input.discard();
            }
        }
    }
}
