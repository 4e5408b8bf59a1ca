package io.skein.net;

import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of a TLS connection. One coroutine at a time calls it: who makes the handshake, then who reads.
 *
 * <p>Invariants. A buffer that is held has bytes in it: who waits holds none, unless a part of a record has come. What comes is lent
 * by the transport. After a failure every read fails: the engine itself would take the connection for an orderly closed one.
 */
final class TlsInput {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** A record begins with its type, its version and its length. */
    private static final int HEADER = 5;

    private static final int LENGTH = 3;

    /** What opening a record returns that has not come as a whole. */
    private static final int INCOMPLETE = -1;

    private static final byte HANDSHAKE_TYPE = 22;
    private static final byte DATA_TYPE = 23;
    private static final String TLS_1_3 = "TLSv1.3";

    /** Made beforehand: there may be no memory for it. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // on purpose
    private static final SSLException BROKEN =
            new SSLException("no memory or stack was left in the middle of a record");

    private final TlsEngine engine;
    private final TcpStream transport;
    private final TlsOutput output;

    /** As received: from position to limit. */
    private @Nullable ByteBuffer records;

    /** Opened and not read yet: from position to limit. */
    private @Nullable ByteBuffer opened;

    private boolean ended;
    private @Nullable SSLException failure;

    TlsInput(TlsEngine engine, TcpStream transport, TlsOutput output) {
        this.engine = engine;
        this.transport = transport;
        this.output = output;
    }

    /**
     * Receives the client's first message and looks at it, no more: it is still to be read by the handshake.
     *
     * @return the name that the client asks for; empty if there is none, or the message is none that can be understood
     */
    Optional<String> requestedName() throws IOException {
        ClientHello hello = ClientHello.in(records != null ? records : NOTHING);
        while (!hello.isComplete() && hasRoomForHello() && receive()) {
            hello = ClientHello.in(Objects.requireNonNull(records));
        }
        return hello.serverName();
    }

    /** Whoever sends more than a record without an end will hear of it from the engine. */
    private boolean hasRoomForHello() {
        return records == null || records.remaining() < RecordBuffers.SINGLE.size();
    }

    /** Receives what the handshake waits for. */
    HandshakeStatus handshake() throws IOException {
        if (failure != null) {
            throw new SSLException(failure.getMessage(), failure);
        }
        while (true) {
            SSLEngineResult result = engine.get().unwrap(records != null ? records : NOTHING, NOTHING);
            switch (result.getStatus()) {
                case BUFFER_UNDERFLOW -> {
                    if (!receive()) {
                        throw new SSLHandshakeException(
                                "handshake with " + peer() + ": closed by the peer in the middle of it");
                    }
                }
                case BUFFER_OVERFLOW ->
                    throw new SSLHandshakeException("handshake with " + peer() + ": data in the middle of it");
                case OK, CLOSED -> {
                    return result.getHandshakeStatus();
                }
            }
        }
    }

    /** The count of bytes read, or -1 after the peer's goodbye. The target has room. */
    int read(ByteBuffer target) throws IOException {
        try {
            while (true) {
                if (opened != null) {
                    return copyOpened(opened, target);
                }
                if (failure != null) {
                    throw new SSLException(failure.getMessage(), failure);
                }
                if (ended) {
                    return -1;
                }
                int count = open(target);
                if (count == INCOMPLETE) {
                    receiveSome();
                } else if (count > 0) {
                    return count + openMore(target);
                }
            }
        } catch (SSLException e) {
            fail(e);
            throw e;
        } finally {
            releaseIfEmpty();
        }
    }

    /** Opens what else has come, while there is room for it, and waits for no more. The next read tells what is wrong with it. */
    private int openMore(ByteBuffer target) {
        int total = 0;
        try {
            while (!ended && opened == null && mayOpenNext(target)) {
                int count = open(target);
                if (count != INCOMPLETE) {
                    total += count;
                } else if (!transport.hasReceived() || !receive()) {
                    break;
                }
            }
        } catch (SSLException e) {
            fail(e);
        } catch (IOException | OutOfMemoryError e) {
            return total; // an interrupt, say: it stays set; or a failure that is noted
        }
        return total;
    }

    /**
     * Whether the next record need not be opened aside, as far as that is known, and is of data: before TLS 1.3, the peer's goodbye would
     * close our output, and who reads may want to answer before.
     */
    private boolean mayOpenNext(ByteBuffer target) {
        if (records == null || records.remaining() < HEADER) {
            return target.hasRemaining();
        }
        return records.get(records.position()) == DATA_TYPE && length(records) <= target.remaining();
    }

    /** The length of the first record, of which the header has come. */
    private static int length(ByteBuffer source) {
        return Short.toUnsignedInt(source.getShort(source.position() + LENGTH));
    }

    private void fail(SSLException e) {
        if (failure == null) {
            failure = e;
            output.answer(); // the alert
        }
    }

    /** Gives the buffer back when nothing is left in it. */
    void releaseIfEmpty() {
        if (records != null && !records.hasRemaining()) {
            RecordBuffers.giveBack(records);
            records = null;
        }
    }

    private int copyOpened(ByteBuffer bytes, ByteBuffer target) {
        int count = Math.min(bytes.remaining(), target.remaining());
        target.put(target.position(), bytes, bytes.position(), count);
        target.position(target.position() + count);
        bytes.position(bytes.position() + count);
        if (!bytes.hasRemaining()) {
            RecordBuffers.giveBack(bytes);
            opened = null;
        }
        return count;
    }

    /** Opens the first record. The count of bytes that came into the target, which may be none, or {@link #INCOMPLETE}. */
    private int open(ByteBuffer target) throws SSLException {
        if (records == null || records.remaining() < HEADER) {
            return INCOMPLETE;
        }
        refuseRenegotiation(records);
        SSLEngineResult result = unwrap(records, target);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            result = openAside(records);
        }
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> {
                return INCOMPLETE;
            }
            case BUFFER_OVERFLOW -> throw new SSLException("read " + peer() + ": too large a record");
            case CLOSED -> ended = true;
            case OK -> {}
        }
        HandshakeStatus status = result.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_WRAP) {
            output.answer();
        } else if (status == HandshakeStatus.NEED_TASK) {
            throw new SSLException("read " + peer() + ": a second handshake is refused");
        }
        return opened == null ? result.bytesProduced() : 0;
    }

    /** What an engine does after it was left in the middle of a record nobody knows: so it is not asked again. */
    private SSLEngineResult unwrap(ByteBuffer source, ByteBuffer target) throws SSLException {
        try {
            return engine.get().unwrap(source, target);
        } catch (Error e) { // no memory or stack
            failure = BROKEN;
            throw e;
        }
    }

    /** Opens a record that is larger than the caller's target. */
    private SSLEngineResult openAside(ByteBuffer source) throws SSLException {
        ByteBuffer target = RecordBuffers.take(length(source));
        SSLEngineResult result = unwrap(source, target);
        if (result.bytesProduced() > 0) {
            opened = target.flip();
        } else {
            RecordBuffers.giveBack(target);
        }
        return result;
    }

    /**
     * Before TLS 1.3, a handshake message after the handshake begins another one. The engine would go along, so it does not get
     * to see the message.
     */
    private void refuseRenegotiation(ByteBuffer source) throws SSLException {
        if (source.get(source.position()) == HANDSHAKE_TYPE
                && !engine.get().getSession().getProtocol().equals(TLS_1_3)) {
            failure = new SSLException("read " + peer() + ": renegotiation refused");
            engine.get().closeOutbound();
            output.answer();
            throw failure;
        }
    }

    private void receiveSome() throws IOException {
        if (!receive()) {
            throw new SSLException(
                    "read " + peer() + ": closed without close_notify; what came before may have been cut off");
        }
    }

    /** Adds what has arrived to the records, waiting until something has. Returns false at the end of the transport. */
    private boolean receive() throws IOException {
        releaseIfEmpty();
        try (Lease lease = transport.receive()) {
            if (lease.isEnd()) {
                return false;
            }
            try {
                add(lease.bytes());
            } catch (Error e) { // no memory for what has arrived
                failure = BROKEN;
                throw e;
            }
            return true;
        }
    }

    private void add(ByteBuffer arrived) {
        ByteBuffer soFar = records;
        int size = arrived.remaining() + (soFar == null ? 0 : soFar.remaining());
        if (soFar != null && soFar.capacity() >= size) {
            soFar.compact().put(arrived).flip();
            return;
        }
        ByteBuffer larger = RecordBuffers.take(size);
        if (soFar != null) {
            larger.put(soFar);
        }
        records = larger.put(arrived).flip();
        if (soFar != null) {
            RecordBuffers.giveBack(soFar); // when it is ours no more: it may have another tenant at once
        }
    }

    private String peer() {
        return SocketAddresses.text(transport.remoteAddress());
    }

    /** Drops what is still to come, up to the peer's goodbye; or up to the end of the transport, if nothing can be opened. */
    void drain(boolean opening) throws IOException {
        if (!opening) {
            discard();
            while (receive()) {
                discard();
            }
            return;
        }
        ByteBuffer scratch = RecordBuffers.SINGLE.take();
        try {
            while (read(scratch) >= 0) {
                scratch.clear();
            }
        } finally {
            RecordBuffers.giveBack(scratch);
        }
    }

    /** Drops what is not read. The stream is closed. */
    void discard() {
        if (records != null) {
            RecordBuffers.giveBack(records);
            records = null;
        }
        if (opened != null) {
            RecordBuffers.giveBack(opened);
            opened = null;
        }
    }
}
