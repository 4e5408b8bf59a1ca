package io.skein.internal.io.uring;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the kernel for a ring: the best setup flags first, fewer after each refusal.
 *
 * <p>To be called on the thread that will use the ring. What is required of the kernel is in {@link #REQUIRED}: Linux
 * 5.11 has all of it.
 */
final class RingSetup {
    /** One mapping, no dropped completions, readiness inside the kernel, a timeout for the wait. */
    private static final int REQUIRED =
            Abi.IORING_FEAT_SINGLE_MMAP | Abi.IORING_FEAT_NODROP | Abi.IORING_FEAT_FAST_POLL | Abi.IORING_FEAT_EXT_ARG;

    private static final int ALWAYS = Abi.IORING_SETUP_CQSIZE | Abi.IORING_SETUP_CLAMP;
    private static final int DEFERRED = ALWAYS
            | Abi.IORING_SETUP_SUBMIT_ALL
            | Abi.IORING_SETUP_SINGLE_ISSUER
            | Abi.IORING_SETUP_DEFER_TASKRUN
            | Abi.IORING_SETUP_TASKRUN_FLAG;

    /** Newest first: Linux 6.6, 6.1, 5.19, and what 5.11 has. */
    private static final int[] ATTEMPTS = {
        DEFERRED | Abi.IORING_SETUP_NO_SQARRAY,
        DEFERRED,
        ALWAYS | Abi.IORING_SETUP_SUBMIT_ALL | Abi.IORING_SETUP_COOP_TASKRUN | Abi.IORING_SETUP_TASKRUN_FLAG,
        ALWAYS
    };

    private RingSetup() {}

    /**
     * Sets up a ring.
     *
     * @param parameters the address of a {@code struct io_uring_params}, filled on return
     * @return its descriptor
     * @throws IOException saying why there is none
     */
    static int open(int entries, int completionEntries, long parameters) throws IOException {
        int result = 0;
        for (int flags : ATTEMPTS) {
            if (!isWanted(flags)) {
                continue;
            }
            for (int word = 0; word < Abi.PARAMS_SIZE; word += Long.BYTES) {
                Memory.plainLong(parameters + word, 0);
            }
            Memory.plainInt(parameters + Abi.PARAMS_CQ_ENTRIES, completionEntries);
            Memory.plainInt(parameters + Abi.PARAMS_FLAGS, flags);
            result = (int) Libc.syscall(Abi.SYS_IO_URING_SETUP, entries, parameters, 0, 0, 0, 0);
            if (!Errno.EINVAL.is(result)) {
                break;
            }
        }
        if (result < 0) {
            throw new IOException("io_uring_setup: " + refusal(-result));
        }
        int features = Memory.plainInt(parameters + Abi.PARAMS_FEATURES);
        if ((features & REQUIRED) != REQUIRED) {
            Libc.close(result);
            throw new IOException("io_uring of this kernel is too old: Skein needs Linux 5.11 or newer");
        }
        return result;
    }

    private static boolean isWanted(int flags) {
        return ((flags & Abi.IORING_SETUP_NO_SQARRAY) == 0 || KernelFeature.NO_SQARRAY.isWanted())
                && ((flags & Abi.IORING_SETUP_DEFER_TASKRUN) == 0 || KernelFeature.DEFER_TASKRUN.isWanted())
                && ((flags & Abi.IORING_SETUP_COOP_TASKRUN) == 0 || KernelFeature.COOP_TASKRUN.isWanted());
    }

    private static String refusal(int errno) {
        String text = Errno.describe(errno);
        if (errno == Errno.EPERM.number()) {
            String sysctl = sysctl();
            return text + "; "
                    + (sysctl.equals("0")
                            ? "a seccomp profile forbids it, as a container's default profile does"
                            : "the sysctl kernel.io_uring_disabled is " + sysctl);
        }
        if (errno == Errno.ENOSYS.number()) {
            return text + "; it was built without io_uring, or a seccomp profile hides it";
        }
        if (errno == Errno.ENOMEM.number()) {
            return text + "; see ulimit -l";
        }
        return text;
    }

    /** 0 allows io_uring to all, 1 to some, 2 to nobody; a kernel before 6.6 has no such switch. */
    private static String sysctl() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/io_uring_disabled"))
                    .strip();
        } catch (IOException e) {
            return "0";
        }
    }

    static List<String> setupFlagNames(int flags) {
        List<String> names = new ArrayList<>();
        name(names, flags, Abi.IORING_SETUP_CQSIZE, "CQSIZE");
        name(names, flags, Abi.IORING_SETUP_CLAMP, "CLAMP");
        name(names, flags, Abi.IORING_SETUP_SUBMIT_ALL, "SUBMIT_ALL");
        name(names, flags, Abi.IORING_SETUP_COOP_TASKRUN, "COOP_TASKRUN");
        name(names, flags, Abi.IORING_SETUP_TASKRUN_FLAG, "TASKRUN_FLAG");
        name(names, flags, Abi.IORING_SETUP_SINGLE_ISSUER, "SINGLE_ISSUER");
        name(names, flags, Abi.IORING_SETUP_DEFER_TASKRUN, "DEFER_TASKRUN");
        name(names, flags, Abi.IORING_SETUP_NO_SQARRAY, "NO_SQARRAY");
        return names;
    }

    private static void name(List<String> names, int flags, int flag, String name) {
        if ((flags & flag) != 0) {
            names.add(name);
        }
    }
}
