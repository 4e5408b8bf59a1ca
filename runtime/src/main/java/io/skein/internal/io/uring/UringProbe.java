package io.skein.internal.io.uring;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What io_uring of this kernel grants, found out with a real ring and a real NOP.
 *
 * @param setupFlags the setup flags that a ring got, without their {@code IORING_SETUP_} prefix
 * @param features the feature bits that Skein looks at, by name
 * @param operations the operations that the kernel says it supports, by name
 * @param registeredRing whether the ring's descriptor could be registered
 */
public record UringProbe(
        List<String> setupFlags, List<String> features, List<String> operations, boolean registeredRing) {
    private static final int PROBE_OPS = 256;
    private static final int PROBE_HEADER = 16;
    private static final int PROBE_OP_SIZE = 8;
    private static final int OP_SUPPORTED = 1;

    /**
     * Opens a ring on the calling thread, sends a NOP through it and closes it.
     *
     * @throws IOException saying why io_uring cannot be had
     */
    public static UringProbe run() throws IOException {
        String os = System.getProperty("os.name", "");
        String architecture = System.getProperty("os.arch", "");
        if (!os.equals("Linux") || !(architecture.equals("amd64") || architecture.equals("aarch64"))) {
            throw new IOException("io_uring is Linux's on x86-64 and AArch64; this is " + os + " on " + architecture);
        }
        try {
            return probe();
        } catch (LinkageError | IllegalCallerException | UnsupportedOperationException e) {
            Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
            throw new IOException("this JVM does not let Skein call the C library: " + cause.getMessage(), e);
        }
    }

    private static UringProbe probe() throws IOException {
        try (Ring ring = Ring.open(4, 8)) {
            Sqe nop = ring.submissions().next();
            if (nop == null) {
                throw new IOException("io_uring: a new submission queue is full");
            }
            new Nop().fill(nop);
            nop.write(0);
            int result = ring.enter(1, 1_000_000_000L);
            while (Errno.EINTR.is(result)) {
                result = ring.enter(1, 1_000_000_000L);
            }
            if (result < 0) {
                throw new IOException("io_uring_enter: " + Errno.describe(-result));
            }
            if (ring.completions().drain((userData, ignored, flags) -> {}) != 1) {
                throw new IOException("io_uring: a NOP did not complete");
            }
            return new UringProbe(
                    ring.setupFlagNames(), featureNames(ring), operationNames(ring), ring.hasRegisteredDescriptor());
        }
    }

    /** Whether a receive may wait for readiness first and says whether the socket holds more: Linux 5.19. */
    boolean receiveHints() {
        return KernelFeature.RECEIVE_HINTS.isWanted() && isOfLinux519();
    }

    /** Whether an accept may stay armed: Linux 5.19. */
    boolean standingAccepts() {
        return KernelFeature.STANDING_ACCEPTS.isWanted() && isOfLinux519();
    }

    /** Whether the kernel goes on with a send by itself until all is sent, if told so: Linux 5.19. */
    boolean wholeSends() {
        return KernelFeature.WHOLE_SENDS.isWanted() && isOfLinux519();
    }

    /**
     * The kernel does not tell of these features, nor refuse what it does not know: it ignores the flag, and sends less, say. But it
     * lists its operations, and {@code SOCKET} came in the same release.
     */
    private boolean isOfLinux519() {
        return supports(Abi.IORING_OP_SOCKET);
    }

    /**
     * Whether a receive may stay armed and take its buffers from a ring of them: Linux 6.0. {@code SINGLE_ISSUER} is of that release.
     * Skein asks for it together with {@code DEFER_TASKRUN}, which is of 6.1.
     */
    boolean inflows() {
        return KernelFeature.BUFFER_RING.isWanted() && setupFlags.contains("SINGLE_ISSUER");
    }

    boolean supports(byte opcode) {
        return operations.contains(KernelNames.OPERATIONS.get(opcode));
    }

    /** What this kernel would be without some of its operations. */
    UringProbe without(String... names) {
        List<String> fewer = new ArrayList<>(operations);
        fewer.removeAll(List.of(names));
        return new UringProbe(setupFlags, features, List.copyOf(fewer), registeredRing);
    }

    private static List<String> featureNames(Ring ring) {
        List<String> names = new ArrayList<>();
        for (int bit = 0; bit < KernelNames.FEATURES.size(); bit++) {
            if (ring.hasFeature(1 << bit)) {
                names.add(KernelNames.FEATURES.get(bit));
            }
        }
        return List.copyOf(names);
    }

    private static List<String> operationNames(Ring ring) {
        long probe = Libc.allocate(PROBE_HEADER + PROBE_OPS * PROBE_OP_SIZE);
        try {
            if (ring.register(Abi.IORING_REGISTER_PROBE, probe, PROBE_OPS) < 0) {
                return List.of();
            }
            int count = Memory.plainByte(probe + 1) & 0xff;
            List<String> names = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long entry = probe + PROBE_HEADER + (long) i * PROBE_OP_SIZE;
                if ((Memory.plainShort(entry + 2) & OP_SUPPORTED) != 0) {
                    int opcode = Memory.plainByte(entry) & 0xff;
                    names.add(
                            opcode < KernelNames.OPERATIONS.size()
                                    ? KernelNames.OPERATIONS.get(opcode)
                                    : "OP_" + opcode);
                }
            }
            return List.copyOf(names);
        } finally {
            Libc.free(probe);
        }
    }
}
