package io.skein;

import io.skein.internal.io.uring.UringProbe;
import io.skein.internal.linux.Libc;
import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.util.List;

/**
 * What Skein finds on this machine and would make of it. Immutable.
 *
 * @param operatingSystem the system's name and release
 * @param architecture the processor's architecture
 * @param ioUring what the kernel grants of io_uring
 * @param limits the limits of this process that matter to a server
 * @param java the running JDK
 * @param flags the JVM flags that Skein can use
 * @param driver the driver that a runtime would get by default
 * @param driverReason why
 * @param ownWorkers whether coroutines would run on Skein's own workers, and not on the JDK's scheduler
 * @param modeReason why
 */
public record Diagnosis(
        String operatingSystem,
        String architecture,
        IoUring ioUring,
        List<Limit> limits,
        Jdk java,
        List<Flag> flags,
        DriverKind driver,
        String driverReason,
        boolean ownWorkers,
        String modeReason) {

    /**
     * What the kernel grants of io_uring, found out with a real ring.
     *
     * @param available whether a ring could be had
     * @param reason why not, or what was tried
     * @param setupFlags the setup flags that a ring got
     * @param features the features that the kernel reports
     * @param operations the operations that the kernel supports
     * @param registeredRing whether a ring's own descriptor can be registered
     */
    public record IoUring(
            boolean available,
            String reason,
            List<String> setupFlags,
            List<String> features,
            List<String> operations,
            boolean registeredRing) {}

    /**
     * A limit of this process.
     *
     * @param name what is limited
     * @param soft the limit in force; -1 for none
     * @param hard what it may be raised to; -1 for no bound
     */
    public record Limit(String name, long soft, long hard) {}

    /** The running JDK. */
    public record Jdk(String version, String vendor, String vm) {}

    /**
     * A JVM flag that Skein can use.
     *
     * @param text the flag as it is written on the command line
     * @param present whether this JVM has it, or its effect
     * @param brings what it is good for
     */
    public record Flag(String text, boolean present, String brings) {}

    /** Looks at the machine. Opens a ring for a moment; changes nothing. */
    public static Diagnosis take() {
        IoUring ioUring = probe();
        return new Diagnosis(
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("os.arch"),
                ioUring,
                findLimits(ioUring.available()),
                new Jdk(
                        System.getProperty("java.version"),
                        System.getProperty("java.vendor"),
                        System.getProperty("java.vm.name")),
                findFlags(),
                ioUring.available() ? DriverKind.URING : DriverKind.NIO,
                ioUring.reason(),
                Loom.available(),
                Loom.available() ? "java.lang is open to Skein" : Loom.missingFlags() + " is missing");
    }

    private static IoUring probe() {
        try {
            UringProbe probe = UringProbe.run();
            return new IoUring(
                    true,
                    "a ring answered a NOP",
                    probe.setupFlags(),
                    probe.features(),
                    probe.operations(),
                    probe.registeredRing());
        } catch (IOException e) {
            return new IoUring(false, String.valueOf(e.getMessage()), List.of(), List.of(), List.of(), false);
        }
    }

    private static List<Limit> findLimits(boolean available) {
        return available
                ? List.of(limit("open files", Libc.RLIMIT_NOFILE), limit("locked memory in bytes", Libc.RLIMIT_MEMLOCK))
                : List.of();
    }

    private static Limit limit(String name, int resource) {
        long[] pair = Libc.resourceLimit(resource);
        return new Limit(name, pair[0], pair[1]);
    }

    private static List<Flag> findFlags() {
        Module here = Diagnosis.class.getModule();
        String to = here.isNamed() ? here.getName() : "ALL-UNNAMED";
        return List.of(
                new Flag(Loom.missingFlags(), Loom.available(), "coroutines on Skein's own workers"),
                new Flag(
                        "--add-exports=java.base/jdk.internal.vm=" + to,
                        Object.class.getModule().isExported("jdk.internal.vm", here),
                        "generators without a thread each"),
                new Flag(
                        "--enable-native-access=" + to,
                        here.isNativeAccessEnabled(),
                        "system calls without a warning of the JVM"));
    }
}
