package io.skein.sync;

import io.skein.Skein;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Bridges between channels and reactive streams. Safe for use by any thread.
 *
 * <pre>{@code
 * scope.fork(() -> Flows.copy(publisher, channel));               // values of a publisher, as fast as they are received
 * Flow.Publisher<Price> prices = Flows.publisher(skein, channel); // values of a channel, as fast as they are asked for
 * }</pre>
 */
public final class Flows {
    private Flows() {}

    /**
     * A publisher of what comes out of a channel. Each subscriber has a coroutine, which receives a value only when the subscriber
     * has asked for one; several subscribers share the values of a channel. A subscriber that cancels leaves in the channel what it
     * was not given. The end of the channel is the end of the stream, and what the channel was
     * {@linkplain Sender#closeWith closed with} is its error; the subscriber hears of both without having asked for more. A
     * runtime that is closed refuses the coroutine, and that is the subscriber's error then.
     */
    public static <T> Flow.Publisher<T> publisher(Skein skein, Receiver<? extends T> receiver) {
        Objects.requireNonNull(skein, "skein");
        Objects.requireNonNull(receiver, "receiver");
        return subscriber -> new Delivery<T>(receiver, subscriber).begin(skein);
    }

    /**
     * Sends what a publisher publishes to a channel, and returns when that has ended. The publisher is asked for values as fast as
     * the channel takes them. Its end closes the channel, and its error {@linkplain Sender#closeWith closes} the channel
     * {@linkplain Sender#closeWith with} it. If somebody else closes the channel, that is noticed when the next value is
     * to be sent: then the publisher is cancelled, and this returns.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; then the publisher is cancelled, and the channel
     *     closed with the exception
     */
    public static <T> void copy(Flow.Publisher<? extends T> publisher, Sender<? super T> sender)
            throws InterruptedException {
        Objects.requireNonNull(sender, "sender");
        Inbox<T> inbox = new Inbox<>();
        publisher.subscribe(inbox);
        try {
            inbox.sendAllTo(sender);
        } finally {
            inbox.cancel();
        }
    }

    /** Takes in what a publisher publishes, no more than it has room for. */
    private static final class Inbox<T> implements Flow.Subscriber<T> {
        private static final int ROOM = 32;

        private final Channel<T> values = Channel.buffered(ROOM);
        private volatile Flow.@Nullable Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            if (subscription != null) {
                given.cancel();
                return;
            }
            subscription = given;
            if (values.isClosed()) {
                given.cancel();
            } else {
                given.request(ROOM);
            }
        }

        @Override
        public void onNext(T value) {
            try {
                if (!values.trySend(value)) {
                    values.closeWith(new IllegalStateException("the publisher published more than it was asked for"));
                }
            } catch (ChannelClosedException e) {
                // cancelled, which the publisher need not have noticed
            }
        }

        @Override
        public void onError(Throwable error) {
            values.closeWith(error);
        }

        @Override
        public void onComplete() {
            values.close();
        }

        void sendAllTo(Sender<? super T> sender) throws InterruptedException {
            int taken = 0;
            try {
                while (true) {
                    T value = values.receive();
                    if (++taken == ROOM / 2) {
                        Objects.requireNonNull(subscription, "subscription").request(taken);
                        taken = 0;
                    }
                    if (!sentTo(sender, value)) {
                        return;
                    }
                }
            } catch (ChannelClosedException e) {
                if (e.getCause() == null) {
                    sender.close();
                } else {
                    sender.closeWith(e.getCause());
                }
            } catch (InterruptedException e) {
                sender.closeWith(e);
                throw e;
            }
        }

        /** False if somebody has closed the sender. */
        private boolean sentTo(Sender<? super T> sender, T value) throws InterruptedException {
            try {
                sender.send(value);
                return true;
            } catch (ChannelClosedException e) {
                return false;
            }
        }

        void cancel() {
            values.close(); // so that a subscription that is yet to come is cancelled
            Flow.Subscription given = subscription;
            if (given != null) {
                given.cancel();
            }
        }
    }
}
