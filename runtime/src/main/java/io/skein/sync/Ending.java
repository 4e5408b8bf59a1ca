package io.skein.sync;

/** The end of what values come out of, for those who wait for that and take no value. Any thread may call it. */
sealed interface Ending {
    /** Whether nothing will come out any more. Once true, it stays so. */
    boolean isOver();

    /**
     * Gets in line to be served when it is over, or perhaps before: who is served looks again.
     *
     * @return false if it is over; then the place is not in line
     */
    boolean enlist(Place place);

    /** Takes a place out of that line, if it is still there. */
    void forget(Place place);

    static Ending of(Receiver<?> receiver) {
        return switch (receiver) {
            case Channel<?> channel -> new OfChannel(channel);
            case Listener<?> listener -> new OfListener(listener);
        };
    }

    /** A channel is closed, and nothing is left in it. */
    record OfChannel(Channel<?> channel) implements Ending {
        @Override
        public boolean isOver() {
            return channel.hasEnded();
        }

        @Override
        public boolean enlist(Place place) {
            return channel.enlistUnlessEnded(place);
        }

        @Override
        public void forget(Place place) {
            channel.forgetEnd(place);
        }
    }

    /** A listener has heard everything, or was closed itself. */
    record OfListener(Listener<?> listener) implements Ending {
        @Override
        public boolean isOver() {
            return listener.hasEnded();
        }

        @Override
        public boolean enlist(Place place) {
            return listener.enlistUnlessEnded(place);
        }

        @Override
        public void forget(Place place) {
            listener.forgetEnd(place);
        }
    }
}
