package io.skein.bench;

import java.io.Serial;

/** A benchmark that could not run to its end, for a reason that a user can act on. */
final class BenchException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    BenchException(String message) {
        super(message);
    }

    BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
