package io.skein.process;

import io.skein.Skein;

/** Starts a runtime and closes it. */
final class StartAndClose {
    private StartAndClose() {}

    public static void main(String[] arguments) {
        try (Skein skein = Skein.start()) {
            System.out.println("started " + skein.driver());
        }
    }
}
