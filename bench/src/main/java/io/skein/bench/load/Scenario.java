package io.skein.bench.load;

import java.util.Locale;

/**
 * What every server is asked to do.
 *
 * @param connections open at a time, each with one request under way
 * @param size bytes of a request and of its reply, or of a write
 * @param rate requests per second, sent when they are due whether or not earlier ones have been answered; 0 for as fast
 *     as the replies come
 * @param workers threads of execution that the server has
 * @param workMicros microseconds that the server computes before each reply
 */
public record Scenario(Traffic traffic, int connections, int size, int rate, int workers, int workMicros) {
    private static final int KIBI = 1024;

    /** One worker, and nothing to compute. */
    public Scenario(Traffic traffic, int connections, int size, int rate) {
        this(traffic, connections, size, rate, 1, 0);
    }

    public static Scenario closedLoop(Traffic traffic, int connections, int size) {
        return new Scenario(traffic, connections, size, 0);
    }

    public Scenario withConnections(int other) {
        return new Scenario(traffic, other, size, rate, workers, workMicros);
    }

    public Scenario withSize(int other) {
        return new Scenario(traffic, connections, other, rate, workers, workMicros);
    }

    public Scenario withWorkers(int other) {
        return new Scenario(traffic, connections, size, rate, other, workMicros);
    }

    public Scenario withWork(int micros) {
        return new Scenario(traffic, connections, size, rate, workers, micros);
    }

    public boolean paced() {
        return rate > 0;
    }

    /** For people, without the number of connections and workers. */
    public String what() {
        String bytes = switch (traffic) {
            case PING_PONG -> "echo of " + sizeText();
            case STREAM -> "stream of " + sizeText() + " writes";
            case CHURN -> "connect, echo of " + sizeText() + ", close";
            case DATAGRAMS -> "datagrams of " + sizeText();
            case TLS -> "TLS echo of " + sizeText();
            case HTTP -> "HTTP GET by wrk";
            case HTTP_SERVER -> "HttpServer of the JDK";
            case HELIDON -> "Helidon";
            case JETTY -> "Jetty";
            case TOMCAT -> "Tomcat";
            case SPRING_BOOT -> "Spring Boot";
            case GRPC -> "gRPC";
            case JEDIS -> "Jedis";
            case HIKARI -> "PostgreSQL and HikariCP";
        };
        return workMicros > 0 ? bytes + " and " + workMicros + " µs of work" : bytes;
    }

    /** For people. */
    public String title() {
        String pace = paced() ? String.format(Locale.ROOT, ", %,d/s", rate) : "";
        return what() + ", " + connectionsText() + (workers > 1 ? ", " + workersText() : "") + pace;
    }

    public String connectionsText() {
        return String.format(Locale.ROOT, "%,d connection%s", connections, connections == 1 ? "" : "s");
    }

    public String workersText() {
        return workers + (workers == 1 ? " worker" : " workers");
    }

    public String sizeText() {
        return size >= KIBI && size % KIBI == 0 ? size / KIBI + " KiB" : size + " B";
    }
}
