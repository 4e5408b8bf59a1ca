package io.skein;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runtimes of this process that run, by name, and the default one among them. Any thread may call it. */
final class Runtimes {
    private static final List<Skein> RUNNING = new ArrayList<>();
    private static @Nullable Skein byDefault;

    private Runtimes() {}

    /**
     * Notes a runtime that has started.
     *
     * @throws IllegalStateException if it is to be the default, and there is one
     */
    static synchronized void add(Skein skein, boolean asDefault) {
        if (asDefault) {
            Skein present = running(byDefault);
            if (present != null) {
                throw new IllegalStateException("the process has a default runtime: " + present.name());
            }
            byDefault = skein;
        }
        RUNNING.add(skein);
    }

    static synchronized void remove(Skein skein) {
        RUNNING.remove(skein);
        if (byDefault == skein) {
            byDefault = null;
        }
    }

    static synchronized Optional<Skein> byDefault() {
        return Optional.ofNullable(running(byDefault));
    }

    static synchronized Optional<Skein> named(String name) {
        List<Skein> named = RUNNING.stream()
                .filter(skein -> skein.name().equals(name) && skein.isOpen())
                .toList();
        if (named.size() > 1) {
            throw new IllegalStateException(named.size() + " runtimes are named " + name);
        }
        return named.stream().findFirst();
    }

    private static @Nullable Skein running(@Nullable Skein skein) {
        return skein != null && skein.isOpen() ? skein : null;
    }
}
