package io.skein.bench.load;

import java.util.Locale;

/**
 * What every server is asked to do.
 *
 * @param connections open at a time, each with one request under way
 * @param size bytes of a request and of its reply, or of a write
 * @param rate requests per second, sent when they are due whether or not earlier ones have been answered; 0 for as fast
 *     as the replies come
 */
public record Scenario(Traffic traffic, int connections, int size, int rate) {
    private static final int KIBI = 1024;

    public static Scenario closedLoop(Traffic traffic, int connections, int size) {
        return new Scenario(traffic, connections, size, 0);
    }

    public boolean paced() {
        return rate > 0;
    }

    /** For people, without the number of connections. */
    public String what() {
        return switch (traffic) {
            case PING_PONG -> "echo of " + sizeText();
            case STREAM -> "stream of " + sizeText() + " writes";
            case CHURN -> "connect, echo of " + sizeText() + ", close";
            case DATAGRAMS -> "datagrams of " + sizeText();
            case TLS -> "TLS echo of " + sizeText();
        };
    }

    /** For people. */
    public String title() {
        String pace = paced() ? String.format(Locale.ROOT, ", %,d/s", rate) : "";
        return String.format(
                Locale.ROOT, "%s, %,d connection%s%s", what(), connections, connections == 1 ? "" : "s", pace);
    }

    private String sizeText() {
        return size >= KIBI && size % KIBI == 0 ? size / KIBI + " KiB" : size + " B";
    }
}
