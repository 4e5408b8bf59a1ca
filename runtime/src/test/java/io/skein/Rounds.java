package io.skein;

import java.time.Duration;

/**
 * How many of its rounds a test plays: all of them, or a part in a run that repeats the tests under other circumstances. Any thread
 * may call it.
 */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public final class Rounds {
    /** One in so many rounds is played. */
    private static final int PART = Integer.getInteger("skein.test.part", 1);

    private Rounds() {}

    public static int of(int all) {
        return Math.max(1, all / PART);
    }

    public static Duration of(Duration all) {
        return all.dividedBy(PART);
    }
}
