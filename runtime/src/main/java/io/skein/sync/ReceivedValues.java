package io.skein.sync;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** What one loop receives. Of one thread. */
final class ReceivedValues<T> implements Iterator<T> {
    private final Receiver<T> receiver;
    private @Nullable T next;

    ReceivedValues(Receiver<T> receiver) {
        this.receiver = receiver;
    }

    @Override
    public boolean hasNext() {
        if (next != null) {
            return true;
        }
        try {
            next = receiver.receive();
            return true;
        } catch (ChannelClosedException e) {
            if (e.getCause() != null) {
                throw e;
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            CancellationException cancellation = new CancellationException(e.getMessage());
            cancellation.initCause(e);
            throw cancellation;
        }
    }

    @Override
    public T next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException("the channel is closed");
        }
        T value = next;
        next = null;
        return value;
    }
}
