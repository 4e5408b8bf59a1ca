package io.skein.cli.demo;

import java.time.Duration;

/** The CPU clock of this process: all its threads, user and system time. */
final class ProcessCpu {

    private ProcessCpu() {}

    /** CPU time used so far; 0 where the system does not tell. Steps of 10 ms on Linux. */
    static long nanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }
}
