package io.skein;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the stack trace of an exception shows. */
final class StackTraces {
    private StackTraces() {}

    /** The names of the methods that were running, innermost first. */
    static List<String> methodsOf(@Nullable Throwable thrown) {
        return Stream.of(Objects.requireNonNull(thrown).getStackTrace())
                .map(StackTraceElement::getMethodName)
                .toList();
    }

    /** What is suppressed in the exception or in its cause: whoever reads the stack trace sees both. */
    static List<Throwable> suppressedIn(Throwable thrown) {
        List<Throwable> suppressed = new ArrayList<>(List.of(thrown.getSuppressed()));
        Throwable cause = thrown.getCause();
        if (cause != null) {
            suppressed.addAll(List.of(cause.getSuppressed()));
        }
        return suppressed;
    }

    /** The innermost cause. */
    static Throwable rootCauseOf(Throwable thrown) {
        Throwable root = thrown;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return root;
    }
}
