package io.skein.internal.io.nio;

import io.skein.internal.io.Driver;
import io.skein.internal.io.Operation;
import io.skein.internal.linux.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The driver of one worker on one selector.
 *
 * <p>An operation that is not ready waits on its channel's key: one operation for each kind of readiness. Keys are
 * registered in {@link #drive} only, by the worker itself: registering takes locks inside the JDK, and a coroutine
 * that is unmounted while it holds one would stop the worker that has to resume it.
 */
final class NioDriver implements Driver {
    /** The operations that wait on one channel, by the readiness they wait for. */
    private static final class Waiting {
        private @Nullable NioOperation inbound;
        private @Nullable NioOperation outbound;

        void add(NioOperation operation) {
            if (isInbound(operation)) {
                inbound = operation;
            } else {
                outbound = operation;
            }
        }

        void remove(NioOperation operation) {
            if (isInbound(operation)) {
                inbound = null;
            } else {
                outbound = null;
            }
        }

        private static boolean isInbound(NioOperation operation) {
            return (operation.interest() & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0;
        }
    }

    private final Selector selector;
    private final ArrayDeque<NioOperation> unregistered = new ArrayDeque<>();

    NioDriver() throws IOException {
        selector = Selector.open();
    }

    @Override
    public void start(Operation operation) {
        NioOperation started = (NioOperation) operation;
        started.pending = true;
        if (!started.tryToEnd()) {
            unregistered.add(started);
        }
    }

    @Override
    public void cancel(Operation operation) {
        NioOperation cancelled = (NioOperation) operation;
        if (cancelled.pending) {
            SelectionKey key = cancelled.channel().keyFor(selector);
            if (key != null && key.isValid() && key.attachment() instanceof Waiting waiting) {
                waiting.remove(cancelled);
                key.interestOpsAnd(~cancelled.interest());
            }
            unregistered.remove(cancelled);
            cancelled.end(-Errno.ECANCELED.number());
        }
    }

    @Override
    public void drive(long timeoutNanos) {
        register();
        try {
            if (timeoutNanos == 0) {
                selector.selectNow(this::ready);
            } else if (timeoutNanos == FOREVER) {
                selector.select(this::ready, 0);
            } else {
                selector.select(this::ready, Math.max(1, (timeoutNanos + 999_999) / 1_000_000));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("select", e);
        }
    }

    private void register() {
        for (NioOperation next = unregistered.poll(); next != null; next = unregistered.poll()) {
            try {
                SelectionKey key = next.channel().keyFor(selector);
                if (key == null) {
                    key = next.channel().register(selector, 0, new Waiting());
                }
                ((Waiting) key.attachment()).add(next);
                key.interestOpsOr(next.interest());
            } catch (ClosedChannelException | RuntimeException e) {
                next.end(-Errno.ECANCELED.number());
            }
        }
    }

    private void ready(SelectionKey key) {
        Waiting waiting = (Waiting) key.attachment();
        retry(key, waiting, waiting.inbound);
        retry(key, waiting, waiting.outbound);
    }

    private static void retry(SelectionKey key, Waiting waiting, @Nullable NioOperation operation) {
        if (operation != null && (key.readyOps() & operation.interest()) != 0) {
            // Taken off first: from its end on, the waiter may start it again, elsewhere.
            waiting.remove(operation);
            key.interestOpsAnd(~operation.interest());
            if (!operation.tryToEnd()) {
                waiting.add(operation);
                key.interestOpsOr(operation.interest());
            }
        }
    }

    @Override
    public void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a selector", e);
        }
    }
}
