package io.skein.internal.io.uring;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What Skein uses where the kernel has it, and does without where not.
 *
 * <p>Each can be switched off by its name in the system property {@value #SWITCH}, several by commas, all by {@code all}. So what
 * older kernels will do can be seen on a newer one.
 */
enum KernelFeature {
    /** Submission queues without an array of indices: Linux 6.6. */
    NO_SQARRAY,
    /** The kernel's own work done when the ring's thread asks for it: Linux 6.1. */
    DEFER_TASKRUN,
    /** No interruption of the ring's thread for it: Linux 5.19. */
    COOP_TASKRUN,
    /** A ring that is known to the kernel by a number of its own: Linux 5.18. */
    REGISTERED_RING,
    /** Receives that wait for readiness first and tell whether there is more: Linux 5.19. */
    RECEIVE_HINTS,
    /** Receives that stay armed and take their buffers from a ring: Linux 6.0. */
    BUFFER_RING;

    private static final String SWITCH = "skein.uring.without";

    private static final Set<KernelFeature> SWITCHED_OFF = switchedOff(System.getProperty(SWITCH, ""));

    boolean isWanted() {
        return !SWITCHED_OFF.contains(this);
    }

    static Set<KernelFeature> switchedOff(String property) {
        Set<KernelFeature> off = EnumSet.noneOf(KernelFeature.class);
        for (String word : property.split(",", -1)) {
            String name = word.strip();
            if (name.equalsIgnoreCase("all")) {
                off.addAll(EnumSet.allOf(KernelFeature.class));
            } else if (!name.isEmpty()) {
                off.add(named(name));
            }
        }
        return off;
    }

    private static KernelFeature named(String name) {
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    SWITCH + "=" + name + "; it must be all, or some of " + Arrays.toString(values()), e);
        }
    }
}
