package io.skein.bench;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;

/** A line that tells how far we are: rewritten in place on a terminal, one line after the other elsewhere. */
final class Progress {
    private static final String START_OF_LINE = "\r\033[K";

    private final PrintWriter out;
    private final boolean live;

    Progress(PrintWriter out) {
        this.out = out;
        live = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /** What is going on now; only worth showing where it can be replaced. */
    void now(String text) {
        if (live) {
            out.print(START_OF_LINE + text);
            out.flush();
        }
    }

    /** What has been done. */
    void done(String text) {
        if (live) {
            now(text);
        } else {
            out.println(text);
            out.flush();
        }
    }

    /** Nothing more to come. */
    void end() {
        out.print(live ? START_OF_LINE : System.lineSeparator());
        out.flush();
    }
}
