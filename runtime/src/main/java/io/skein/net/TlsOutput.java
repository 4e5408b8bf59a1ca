package io.skein.net;

import io.skein.internal.linux.SocketAddresses;
import io.skein.sync.Mutex;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a TLS connection: seals records and sends them in the order in which they were sealed. Coroutines of the
 * stream's runtime may call it, several at once.
 *
 * <p>Invariants. Only who holds the turn wraps, and touches {@code records}. What is sealed is sent, whoever does it: a sender that is
 * interrupted leaves the rest of its records to the next one. An answer that the engine owes the peer (a key update, say) is
 * sent by the reader that met the question; if somebody else has the turn, by that one: the engine owes it before the reader tries
 * for the turn, and whoever gives the turn back looks at what is owed afterwards.
 */
final class TlsOutput {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TlsEngine engine;
    private final TcpStream transport;
    private final Mutex turn = new Mutex();

    /** Sealed and not sent yet: from position to limit. */
    private @Nullable ByteBuffer records;

    /** Whether there was no memory or stack for the engine in the middle of a record: so nobody knows what it would do next. */
    private boolean broken;

    TlsOutput(TlsEngine engine, TcpStream transport) {
        this.engine = engine;
        this.transport = transport;
    }

    /** Sends all of the source. */
    void write(ByteBuffer source) throws IOException {
        takeTurn("write");
        try {
            flush();
            while (source.hasRemaining()) {
                SSLEngineResult result = seal(source);
                flush();
                if (result.getStatus() == SSLEngineResult.Status.CLOSED && source.hasRemaining()) {
                    throw new SocketException(
                            "write " + SocketAddresses.text(transport.remoteAddress()) + ": the output is shut down");
                }
                refuseHandshake(result.getHandshakeStatus());
            }
        } finally {
            giveTurn();
        }
    }

    /** Sends what the handshake has to say now. */
    HandshakeStatus handshake() throws IOException {
        takeTurn("handshake");
        try {
            SSLEngineResult result = seal(NOTHING);
            flush();
            return result.getHandshakeStatus();
        } finally {
            turn.unlock();
        }
    }

    /** Says goodbye. Nothing is sent after it. */
    void closeNotify() throws IOException {
        takeTurn("close");
        try {
            flush();
            engine.get().closeOutbound();
            seal(NOTHING);
            flush();
        } finally {
            turn.unlock();
        }
    }

    /**
     * Sends what the engine owes the peer, unless somebody else has the turn and will. If it cannot be sent, the next sender meets
     * the reason; a reader has not asked for it.
     */
    void answer() {
        while (engine.get().getHandshakeStatus() == HandshakeStatus.NEED_WRAP && turn.tryLock()) {
            try {
                flush();
                SSLEngineResult result = seal(NOTHING);
                flush();
                if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                    return;
                }
            } catch (IOException e) {
                return;
            } finally {
                turn.unlock();
            }
        }
    }

    /** Drops what is not sent. The stream is closed. */
    void discard() {
        if (turn.tryLock()) {
            try {
                release();
            } finally {
                turn.unlock();
            }
        }
    }

    private void takeTurn(String operation) throws InterruptedIOException {
        try {
            turn.lock();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(
                    operation + " " + SocketAddresses.text(transport.remoteAddress()) + ": interrupted");
        }
    }

    private void giveTurn() {
        turn.unlock();
        answer();
    }

    /** Seals as much as one buffer takes. What was sealed before is sent. The engine wants room for a full record each time. */
    private SSLEngineResult seal(ByteBuffer source) throws SSLException {
        boolean several = source.remaining() > RecordBuffers.FITS_ONE_RECORD;
        ByteBuffer target = (several ? RecordBuffers.SEVERAL : RecordBuffers.SINGLE).take();
        try {
            while (true) {
                SSLEngineResult result = wrap(source, target);
                if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW && target.position() == 0) {
                    target = ByteBuffer.allocate(
                            engine.get().getSession().getPacketBufferSize()); // a peer with large records
                } else if (result.getStatus() != SSLEngineResult.Status.OK || !hasMore(source, result)) {
                    return result;
                }
            }
        } finally {
            records = target.flip();
        }
    }

    private SSLEngineResult wrap(ByteBuffer source, ByteBuffer target) throws SSLException {
        if (broken) {
            throw new SSLException("no memory or stack was left in the middle of a record");
        }
        try {
            return engine.get().wrap(source, target);
        } catch (Error e) {
            broken = true;
            throw e;
        }
    }

    private static boolean hasMore(ByteBuffer source, SSLEngineResult result) {
        return switch (result.getHandshakeStatus()) {
            case NEED_WRAP -> true;
            case NEED_TASK, NEED_UNWRAP, NEED_UNWRAP_AGAIN -> false;
            case FINISHED, NOT_HANDSHAKING -> source.hasRemaining();
        };
    }

    private void flush() throws IOException {
        if (records != null) {
            transport.write(records);
            release();
        }
    }

    private void release() {
        if (records != null) {
            RecordBuffers.giveBack(records);
            records = null;
        }
    }

    /** After the first handshake nothing makes the engine begin another one. */
    private static void refuseHandshake(HandshakeStatus status) throws SSLException {
        if (status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_UNWRAP) {
            throw new SSLException("write: a second handshake is refused");
        }
    }
}
