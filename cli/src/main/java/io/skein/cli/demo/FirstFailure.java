package io.skein.cli.demo;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps the first failure of many threads of control for the one that leads them. May be used from any thread. */
final class FirstFailure {

    private record Report(String who, Exception cause) {}

    private final AtomicReference<@Nullable Report> first = new AtomicReference<>();

    /** Reports that somebody failed; later reports are mostly its consequences, and are dropped. */
    void report(String who, Exception cause) {
        first.compareAndSet(null, new Report(who, cause));
    }

    /** Throws the first failure, if there was one. */
    void check() throws IOException {
        Report report = first.get();
        if (report != null) {
            throw new IOException(report.who + " failed: " + report.cause.getMessage(), report.cause);
        }
    }
}
