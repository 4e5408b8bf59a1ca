package io.skein.net;

import io.skein.internal.sched.BlockingPool;
import io.skein.sync.Mutex;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a stream: made once, by whoever needs it first; others wait for it. Coroutines of the stream's runtime may call
 * it.
 *
 * <pre>
 *   not made -> done     by who holds the mutex
 *   not made -> failed   by who holds the mutex; an interrupt and the end of its time are failures too, and so is whatever else
 *                        is thrown: by a trust manager, say, or for want of memory
 * </pre>
 *
 * <p>The engine's own tasks run in the blocking pool: they sign and verify, which takes long, and a trust or key manager may read
 * files or ask a server whether a certificate has been revoked. A task keeps the engine locked while it runs. So nobody else
 * touches the engine before the handshake is done; above all, who closes does not.
 */
final class TlsHandshake {
    private final TlsEngine engine;
    private final TlsInput input;
    private final TlsOutput output;
    private final BlockingPool pool;
    private final Mutex mutex = new Mutex();
    private volatile boolean done;
    private volatile @Nullable Throwable failure;

    TlsHandshake(TlsEngine engine, TlsInput input, TlsOutput output, BlockingPool pool) {
        this.engine = engine;
        this.input = input;
        this.output = output;
        this.pool = pool;
    }

    boolean isDone() {
        return done;
    }

    /** Whether it was refused, by either side, in the terms of TLS. */
    boolean isRefused() {
        return failure instanceof SSLException;
    }

    /** Returns once it is done. */
    void ensure(Duration limit, String peer) throws IOException {
        if (done) {
            return;
        }
        try {
            mutex.lock();
        } catch (InterruptedException e) {
            throw interrupted(peer);
        }
        try {
            Throwable before = failure;
            if (before != null) {
                String why = before instanceof IOException ? before.getMessage() : before.toString();
                throw new SSLHandshakeException("handshake with " + peer + " failed before: " + why, before);
            }
            if (!done) {
                makeOnce(limit, peer);
            }
        } finally {
            mutex.unlock();
        }
    }

    private void makeOnce(Duration limit, String peer) throws IOException {
        try {
            Limits.within(limit, () -> "handshake with " + peer, () -> {
                make(peer);
                return true;
            });
            done = true;
        } catch (Throwable e) { // the engine is in the middle of it, and must not be used again
            failure = e;
            throw e;
        }
    }

    private void make(String peer) throws IOException {
        if (!engine.isChosen()) {
            chooseEngine(peer);
        }
        try {
            engine.get().beginHandshake();
            HandshakeStatus status = engine.get().getHandshakeStatus();
            while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
                status = switch (status) {
                    case NEED_WRAP -> output.handshake();
                    case NEED_TASK -> runTasks(peer);
                    default -> input.handshake();
                };
            }
            if (engine.get().isInboundDone() || engine.get().isOutboundDone()) {
                throw new SSLHandshakeException("handshake with " + peer + ": closed by the peer in the middle of it");
            }
        } catch (SSLException e) {
            output.answer(); // the alert that tells the peer why
            throw e;
        } finally {
            input.releaseIfEmpty();
        }
    }

    /** The context is chosen by code of the user's, which may block. */
    private void chooseEngine(String peer) throws IOException {
        Optional<String> name = input.requestedName();
        try {
            boolean _ = inPool(peer, () -> {
                engine.choose(name);
                return true;
            });
        } catch (RuntimeException e) {
            throw new SSLHandshakeException(
                    "handshake with " + peer + ": no context for " + name.orElse("a client without a server name"), e);
        }
    }

    private HandshakeStatus runTasks(String peer) throws IOException {
        SSLEngine chosen = engine.get();
        return inPool(peer, () -> {
            for (Runnable task = chosen.getDelegatedTask(); task != null; task = chosen.getDelegatedTask()) {
                task.run();
            }
            return chosen.getHandshakeStatus();
        });
    }

    private <T> T inPool(String peer, Callable<T> call) throws IOException {
        try {
            return pool.call(call);
        } catch (InterruptedException e) {
            throw interrupted(peer);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SSLHandshakeException("handshake with " + peer, e);
        }
    }

    private static InterruptedIOException interrupted(String peer) {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("handshake with " + peer + ": interrupted");
    }
}
