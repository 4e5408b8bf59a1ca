package io.skein.internal.loom;

import jdk.internal.misc.Unsafe;

/** A sleep of the thread that carries the caller, who stays where it is. Only to be loaded where {@link Loom#available}. */
public final class CarrierNap {
    private CarrierNap() {}

    /** Sleeps, until somebody unparks the carrier. As a park, it may end early. */
    public static void take(long nanos) {
        Unsafe.getUnsafe().park(false, nanos);
    }
}
