package io.skein.internal.io.uring;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What Skein uses where the kernel has it, and does without where not. Whether the kernel has it is found out by trying it, or by
 * what the {@link UringProbe} says; that a feature {@linkplain #isWanted is wanted} says nothing about the kernel.
 *
 * <p>Each can be switched off by its name in the system property {@value #WITHOUT}, several by commas, all by {@code all}. So what
 * older kernels will do can be seen on a newer one. What has cost more than it saved wherever it was measured is off until it
 * is named in {@value #WITH}.
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
    /**
     * Receives that stay armed and take their buffers from a ring. Linux 6.0 has them; Skein uses them from 6.1 on, with
     * {@link #DEFER_TASKRUN}.
     */
    BUFFER_RING,
    /** Sends that the kernel continues by itself until all is sent: Linux 5.19. */
    WHOLE_SENDS,
    /** Accepts that stay armed: Linux 5.19. */
    STANDING_ACCEPTS,
    /** Sleeps that do not count as waiting for a disk: Linux 6.15. */
    NO_IOWAIT,
    /** Memory that the kernel knows before it is read or written, for files: if the memlock limit allows. Off by default. */
    REGISTERED_BUFFERS,
    /** Receives that take only as much of a buffer as they fill, and leave the rest to the next: Linux 6.12. Off by default. */
    SHARED_BUFFERS;

    private static final String WITHOUT = "skein.uring.without";
    private static final String WITH = "skein.uring.with";

    private static final Set<KernelFeature> WANTED =
            wanted(System.getProperty(WITHOUT, ""), System.getProperty(WITH, ""));

    boolean isWanted() {
        return WANTED.contains(this);
    }

    static Set<KernelFeature> wanted(String without, String with) {
        Set<KernelFeature> wanted = EnumSet.complementOf(EnumSet.of(REGISTERED_BUFFERS, SHARED_BUFFERS));
        wanted.addAll(named(WITH, with));
        wanted.removeAll(named(WITHOUT, without));
        return wanted;
    }

    private static Set<KernelFeature> named(String property, String value) {
        Set<KernelFeature> all = EnumSet.noneOf(KernelFeature.class);
        for (String word : value.split(",", -1)) {
            String name = word.strip();
            if (name.equalsIgnoreCase("all")) {
                all.addAll(EnumSet.allOf(KernelFeature.class));
            } else if (!name.isEmpty()) {
                all.add(feature(property, name));
            }
        }
        return all;
    }

    private static KernelFeature feature(String property, String name) {
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    property + "=" + name + "; it must be all, or some of " + Arrays.toString(values()), e);
        }
    }
}
