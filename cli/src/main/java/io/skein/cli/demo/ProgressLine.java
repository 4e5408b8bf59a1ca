package io.skein.cli.demo;

import java.io.PrintWriter;

/**
 * Says how far the demo is: on a terminal one line that is drawn over and over, elsewhere one line per step.
 * For one thread.
 */
final class ProgressLine {

    private final PrintWriter out;
    private final boolean live;
    private int drawn;

    ProgressLine(PrintWriter out, boolean live) {
        this.out = out;
        this.live = live;
    }

    /** Shows how a step is going; only a terminal sees it. */
    void update(String text) {
        if (live) {
            draw(text);
        }
    }

    /** Shows how a step ended; a terminal sees it until the next update. */
    void step(String text) {
        if (live) {
            draw(text);
        } else {
            out.println(text);
        }
    }

    /** Leaves an empty line before what comes next. */
    void end() {
        if (live) {
            draw("");
            out.print('\r');
            out.flush();
        } else {
            out.println();
        }
    }

    /** Spaces cover what is left of a longer line before: not every terminal knows the erase sequence. */
    private void draw(String text) {
        out.print('\r' + text + " ".repeat(Math.max(0, drawn - text.length())));
        out.flush();
        drawn = text.length();
    }
}
