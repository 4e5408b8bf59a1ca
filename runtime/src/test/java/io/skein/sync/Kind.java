package io.skein.sync;

/** The kinds of channels, with buffers so small that they are full soon. */
enum Kind {
    RENDEZVOUS,
    BUFFERED_1,
    BUFFERED_3,
    UNBOUNDED,
    CONFLATED;

    <T> Channel<T> channel() {
        return switch (this) {
            case RENDEZVOUS -> Channel.rendezvous();
            case BUFFERED_1 -> Channel.buffered(1);
            case BUFFERED_3 -> Channel.buffered(3);
            case UNBOUNDED -> Channel.unbounded();
            case CONFLATED -> Channel.conflated();
        };
    }

    /** A channel whose senders have to wait; only for kinds in which they do. */
    Channel<Integer> full() {
        Channel<Integer> channel = channel();
        for (int i = 1; i <= capacity(); i++) {
            channel.trySend(-i);
        }
        return channel;
    }

    /** Takes what {@link #full} has put in. */
    void drain(Channel<Integer> channel) {
        for (int i = 1; i <= capacity(); i++) {
            channel.tryReceive();
        }
    }

    int capacity() {
        return switch (this) {
            case RENDEZVOUS -> 0;
            case BUFFERED_1 -> 1;
            case BUFFERED_3 -> 3;
            case UNBOUNDED, CONFLATED -> throw new IllegalStateException(this + " is never full");
        };
    }
}
