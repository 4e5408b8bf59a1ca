package io.skein.internal.sync;

/** So many may go ahead. */
final class Permits extends Admission {
    /** Done once, by the next one who is refused, before it hears of that. */
    private Runnable atRefusal = () -> {};

    Permits(long permits) {
        super(permits);
    }

    void atNextRefusal(Runnable action) {
        atRefusal = action;
    }

    @Override
    protected long entered(long permits, long wanted) {
        if (permits < 0) {
            throw new AssertionError("a crowded word is nobody's to read");
        }
        if (permits >= wanted) {
            return permits - wanted;
        }
        Runnable action = atRefusal;
        atRefusal = () -> {};
        action.run();
        return REFUSED;
    }

    @Override
    protected long left(long permits, long released) {
        if (released < 0) {
            throw new IllegalArgumentException("released: " + released);
        }
        return permits + released;
    }
}
