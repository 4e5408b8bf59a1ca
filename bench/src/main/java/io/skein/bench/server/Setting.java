package io.skein.bench.server;

/**
 * What a server is started with.
 *
 * @param bufferSize bytes of the buffer that each connection reads into or is sent
 * @param workers threads of execution: workers, carriers, event loops
 * @param workMicros microseconds that an echo computes before each reply; only echoes do
 */
public record Setting(Service service, int bufferSize, int workers, int workMicros) {
    /** One thread of execution, and nothing to compute. */
    public Setting(Service service, int bufferSize) {
        this(service, bufferSize, 1, 0);
    }

    Setting withBuffer(int size) {
        return new Setting(service, size, workers, workMicros);
    }

    /** For a server that can do nothing else. */
    void requireEcho() {
        if (service != Service.ECHO) {
            throw new UnsupportedOperationException("this one only echoes");
        }
    }

    Computing work() {
        return new Computing(1000L * workMicros);
    }
}
