package io.skein.cli.demo;

import io.skein.DriverKind;
import java.time.Duration;

/**
 * How big and how long the demo is.
 *
 * @param driver what Skein does its I/O with
 * @param connections clients at a time, one connection each
 * @param messageBytes size of a request and of its echo
 * @param warmUp how long each contender runs before anything counts
 * @param rounds measured rounds per contender
 * @param settling start of each round that does not count
 * @param window measured part of each round
 */
record DemoPlan(
        DriverKind driver,
        int connections,
        int messageBytes,
        Duration warmUp,
        int rounds,
        Duration settling,
        Duration window) {

    /** What {@code skein demo} runs: about twelve seconds. */
    static DemoPlan standard() {
        return new DemoPlan(
                DriverKind.AUTO,
                100,
                1024,
                Duration.ofMillis(1_500),
                5,
                Duration.ofMillis(150),
                Duration.ofMillis(800));
    }
}
