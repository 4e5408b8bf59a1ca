package io.skein;

import io.skein.internal.io.Backend;
import io.skein.internal.io.nio.NioBackend;
import io.skein.internal.io.uring.UringBackend;
import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The driver that a runtime gets: asked for, forced by the system property {@code skein.driver}, or found by trying.
 *
 * @param kind what was chosen; never {@code AUTO}
 * @param forced whether somebody asked for that very driver
 * @param reason why io_uring was passed over, where it was
 */
record DriverChoice(
        DriverKind kind,
        boolean forced,
        Backend backend,
        @Nullable String reason) {
    private static final System.Logger LOG = System.getLogger("io.skein");

    /**
     * Makes the choice and says in one line what it is.
     *
     * @throws IllegalStateException if a forced driver cannot be had
     */
    static DriverChoice make(DriverKind asked, int ringEntries) {
        return logged(choose(asked == DriverKind.AUTO ? property() : asked, ringEntries));
    }

    /** Whether another driver may take its place. */
    boolean replaceable() {
        return !forced && kind == DriverKind.URING;
    }

    /** The choice after one whose workers could not have their drivers. */
    static DriverChoice insteadOf(DriverChoice failed, IOException why) {
        return logged(new DriverChoice(DriverKind.NIO, false, new NioBackend(), why.getMessage()));
    }

    private static DriverChoice logged(DriverChoice choice) {
        LOG.log(
                choice.reason == null && Loom.available() ? Level.DEBUG : Level.INFO,
                () -> "driver " + choice.backend.describe()
                        + (choice.reason == null ? "" : ", because " + choice.reason)
                        + (Loom.available()
                                ? ""
                                : "; coroutines run on the JDK's scheduler, which costs speed: start" + " Java with "
                                        + Loom.missingFlags()));
        return choice;
    }

    private static DriverChoice choose(DriverKind asked, int ringEntries) {
        if (asked == DriverKind.NIO) {
            return new DriverChoice(DriverKind.NIO, true, new NioBackend(), null);
        }
        try {
            return new DriverChoice(DriverKind.URING, asked == DriverKind.URING, UringBackend.open(ringEntries), null);
        } catch (IOException e) {
            if (asked == DriverKind.URING) {
                throw new IllegalStateException("the io_uring driver cannot be had: " + e.getMessage(), e);
            }
            return new DriverChoice(DriverKind.NIO, false, new NioBackend(), e.getMessage());
        }
    }

    private static DriverKind property() {
        String property = System.getProperty("skein.driver", "auto");
        try {
            return DriverKind.valueOf(property.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("skein.driver=" + property + "; it must be auto, uring or nio", e);
        }
    }
}
