package io.skein;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The gap between two steps of a broken twin that must be one step. Both actors may open it.
 *
 * <p>In a few of the twins the gap is wide: the thread that is in it gives up its processor, so that the other actor
 * runs meanwhile even if the two share one processor. In the others it is as short as ever. All gaps of one twin are
 * wide or none is: some outcomes need both actors to be interrupted in the same twin.
 */
@SuppressWarnings("ThreadPriorityCheck") // to give the processor up is what it is for
public final class Window {
    /** About one twin in a stride of jcstress, since to give up a processor on a busy machine costs milliseconds. */
    private static final int WIDE_ONE_IN = 256;

    private final boolean wide = ThreadLocalRandom.current().nextInt(WIDE_ONE_IN) == 0;

    /** Lets the other actor in. */
    public void open() {
        if (wide) {
            Thread.yield();
        }
    }
}
