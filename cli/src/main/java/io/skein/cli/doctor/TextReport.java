package io.skein.cli.doctor;

import io.skein.Diagnosis;
import io.skein.Diagnosis.Flag;
import io.skein.Diagnosis.IoUring;
import io.skein.Diagnosis.Limit;
import java.util.List;
import java.util.Locale;

/** A diagnosis for people: a label and a text per finding, and first what Skein makes of it all. */
final class TextReport {

    private static final int LABEL_WIDTH = 18;
    private static final int LINE_WIDTH = 80;

    private final StringBuilder report = new StringBuilder();

    private TextReport() {}

    static String of(Diagnosis diagnosis) {
        TextReport text = new TextReport();
        text.choice(diagnosis);
        text.entry("system", diagnosis.operatingSystem() + ", " + diagnosis.architecture());
        text.entry(
                "JDK",
                "%s, %s, %s"
                        .formatted(
                                diagnosis.java().version(),
                                diagnosis.java().vendor(),
                                diagnosis.java().vm()));
        text.ioUring(diagnosis.ioUring());
        diagnosis.limits().forEach(text::limit);
        diagnosis.flags().forEach(text::flag);
        return text.report.toString().stripTrailing();
    }

    private void choice(Diagnosis diagnosis) {
        entry("driver", diagnosis.driver().name().toLowerCase(Locale.ROOT) + ", because " + diagnosis.driverReason());
        entry(
                "mode",
                (diagnosis.ownWorkers() ? "Skein's own workers" : "the JDK's scheduler") + ", because "
                        + diagnosis.modeReason());
        report.append('\n');
    }

    private void ioUring(IoUring ioUring) {
        if (!ioUring.available()) {
            entry("io_uring", "cannot be had: " + ioUring.reason());
            return;
        }
        entry("io_uring", "can be had: " + ioUring.reason());
        names("  setup flags", ioUring.setupFlags());
        names("  features", ioUring.features());
        names("  operations", ioUring.operations());
        entry("  own descriptor", ioUring.registeredRing() ? "can be registered" : "cannot be registered");
    }

    private void names(String label, List<String> names) {
        entry(label, names.isEmpty() ? "none" : String.join(" ", names));
    }

    private void limit(Limit limit) {
        String inForce = limit.name() + ": " + bound(limit.soft());
        boolean atItsTop = limit.soft() == limit.hard();
        entry("limit", atItsTop ? inForce : inForce + ", can be raised to " + bound(limit.hard()));
    }

    private static String bound(long value) {
        return value < 0 ? "unlimited" : String.format(Locale.ROOT, "%,d", value);
    }

    private void flag(Flag flag) {
        entry(flag.present() ? "flag" : "flag missing", flag.text() + ": " + flag.brings());
    }

    /** Writes words in lines that fit a terminal, all beginning in the same column. */
    private void entry(String label, String text) {
        report.append(label).repeat(' ', Math.max(1, LABEL_WIDTH - label.length()));
        int column = LABEL_WIDTH;
        for (String word : text.split(" ", -1)) {
            if (column > LABEL_WIDTH && column + 1 + word.length() > LINE_WIDTH) {
                report.append('\n').repeat(' ', LABEL_WIDTH);
                column = LABEL_WIDTH;
            }
            if (column > LABEL_WIDTH) {
                report.append(' ');
                column++;
            }
            report.append(word);
            column += word.length();
        }
        report.append('\n');
    }
}
