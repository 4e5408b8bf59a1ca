package io.skein.internal.io;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A socket of some backend, as far as all are alike. {@link #close} may come from anywhere. */
public interface BoundSocket extends Tunable {
    SocketAddress localAddress();

    /** Whether nobody has closed it yet, the runtime included. */
    boolean isOpen();

    /**
     * Refers to that for as long as the socket lives: what tells when nobody refers to its handle any more. Called
     * once.
     */
    void watchedBy(Object watcher);

    /** Gives the descriptor back, at once or when the last thread inside has left; wakes those inside. */
    void close();

    /**
     * The first step of a close, which any thread may do by itself: lets nobody in any more and wakes who reads.
     *
     * @return the rest, to be run by a coroutine while there are any; null if somebody has closed the socket before
     */
    @Nullable
    Runnable beginClose();
}
