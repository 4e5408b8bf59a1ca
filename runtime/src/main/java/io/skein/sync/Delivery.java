package io.skein.sync;

import io.skein.Coroutine;
import io.skein.Skein;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The values of a channel on their way to one subscriber, as many as it asks for. Its coroutine alone calls the subscriber after
 * {@code onSubscribe}.
 *
 * <p>While the subscriber asks for nothing, the coroutine waits for the channel's end beside the next request: an end and a failure
 * need no demand. It takes no value from the channel then.
 */
final class Delivery<T> implements Flow.Subscription {
    private final Receiver<? extends T> receiver;
    private final Ending ending;
    private final Flow.Subscriber<? super T> subscriber;
    private final AtomicLong demand = new AtomicLong();

    /** Tells the coroutine to look at the demand again; closed when the subscriber cancels. */
    private final Channel<Boolean> asked = Channel.conflated();

    /** Waits for one or the other. */
    private final Select<Boolean> askedOrEnded;

    private volatile @Nullable IllegalArgumentException misuse;
    private volatile @Nullable Coroutine<?> coroutine;

    Delivery(Receiver<? extends T> receiver, Flow.Subscriber<? super T> subscriber) {
        this.receiver = receiver;
        this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
        this.ending = Ending.of(receiver);
        this.askedOrEnded = Select.inOrder(Select.receive(asked, again -> again), new Clause.End<>(ending, () -> true));
    }

    void begin(Skein skein) {
        subscriber.onSubscribe(this);
        try {
            coroutine = skein.spawn(this::deliver);
        } catch (RejectedExecutionException e) {
            if (asked.closeWith(e)) { // or it has cancelled, and wants to hear no more
                subscriber.onError(e);
            }
            return;
        }
        if (asked.isClosed()) {
            interrupt(); // cancelled before the coroutine was known
        }
    }

    @Override
    public void request(long count) {
        if (count <= 0) {
            misuse = new IllegalArgumentException("a subscriber asked for " + count
                    + " values: it must be more than zero, by rule 3.9 of Reactive Streams");
            cancel();
            return;
        }
        demand.accumulateAndGet(count, (before, more) -> before + more < 0 ? Long.MAX_VALUE : before + more);
        if (!asked.isClosed()) {
            try {
                asked.trySend(true);
            } catch (ChannelClosedException e) {
                // cancelled meanwhile
            }
        }
    }

    @Override
    public void cancel() {
        asked.close();
        interrupt();
    }

    /** Ends the coroutine's wait, unless it is the coroutine itself that calls: then it waits for nothing. */
    private void interrupt() {
        Coroutine<?> running = coroutine;
        if (running != null && running.thread() != Thread.currentThread()) {
            running.cancel(true);
        }
    }

    private void deliver() {
        try {
            while (!asked.isClosed()) {
                if (demand.get() == 0) {
                    askedOrEnded.await();
                    if (demand.get() == 0 && ending.isOver()) {
                        receiver.receive(); // throws how it has ended
                    }
                } else {
                    demand.decrementAndGet();
                    subscriber.onNext(receiver.receive());
                }
            }
        } catch (ChannelClosedException e) {
            end(e);
            return;
        } catch (InterruptedException e) {
            if (!asked.isClosed()) {
                subscriber.onError(e);
                return;
            }
        }
        IllegalArgumentException wrong = misuse;
        if (wrong != null) {
            subscriber.onError(wrong);
        }
    }

    /** The channel's end; or the subscriber's cancel, which closes what it asks by. */
    private void end(ChannelClosedException e) {
        IllegalArgumentException wrong = misuse;
        if (wrong != null) {
            subscriber.onError(wrong);
        } else if (!asked.isClosed()) {
            if (e.getCause() == null) {
                subscriber.onComplete();
            } else {
                subscriber.onError(e.getCause());
            }
        }
    }
}
