package io.skein.internal.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Lengths of time as people write them: {@code 299 ms}, {@code 2.5 s}, {@code 1 min 30 s}. Any thread may call it. */
public final class Durations {
    private Durations() {}

    /** As {@link #text(Duration)}. */
    public static String text(long nanos) {
        return text(Duration.ofNanos(nanos));
    }

    /** At most three digits of one unit below a minute, two units above; what is less is left out. */
    public static String text(Duration duration) {
        if (duration.isNegative()) {
            Duration longest = Duration.ofSeconds(-Long.MAX_VALUE); // the opposite of less does not exist
            return "-" + text(duration.compareTo(longest) < 0 ? longest.negated() : duration.negated());
        }
        if (duration.toDays() > 0) {
            return twoUnits(duration.toDays(), "d", duration.toHoursPart(), "h");
        }
        if (duration.toHours() > 0) {
            return twoUnits(duration.toHours(), "h", duration.toMinutesPart(), "min");
        }
        if (duration.toMinutes() > 0) {
            return twoUnits(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
        }
        long nanos = duration.toNanos();
        if (nanos >= TimeUnit.SECONDS.toNanos(1)) {
            return threeDigits(nanos, TimeUnit.SECONDS.toNanos(1), "s");
        }
        if (nanos >= TimeUnit.MILLISECONDS.toNanos(1)) {
            return threeDigits(nanos, TimeUnit.MILLISECONDS.toNanos(1), "ms");
        }
        if (nanos >= TimeUnit.MICROSECONDS.toNanos(1)) {
            return threeDigits(nanos, TimeUnit.MICROSECONDS.toNanos(1), "µs");
        }
        return nanos == 0 ? "0 s" : nanos + " ns";
    }

    private static String twoUnits(long large, String largeUnit, int small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }

    private static String threeDigits(long nanos, long unitNanos, String unit) {
        long whole = nanos / unitNanos;
        int decimals = whole >= 100 ? 0 : whole >= 10 ? 1 : 2;
        StringBuilder text = new StringBuilder().append(whole);
        long rest = nanos % unitNanos;
        int length = text.length(); // the decimals that are zero at the end are cut off
        for (int i = 0; i < decimals; i++) {
            rest *= 10;
            text.append(i == 0 ? "." : "").append(rest / unitNanos);
            if (rest / unitNanos != 0) {
                length = text.length();
            }
            rest %= unitNanos;
        }
        text.setLength(length);
        return text.append(' ').append(unit).toString();
    }
}
