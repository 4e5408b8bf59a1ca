package io.skein.integration;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * A server for all tests of a class, to be registered in a static field. Where there can be none, each test is skipped, and not the
 * class, so that all are counted.
 */
final class SharedServer<S extends SharedServer.Stoppable>
        implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    /** A server that runs. */
    interface Stoppable {
        void stop() throws Exception;
    }

    private final Callable<S> starter;
    private S server;
    private TestAbortedException missing;

    /**
     * @param starter starts a server; ends the test as skipped where that cannot be
     */
    SharedServer(Callable<S> starter) {
        this.starter = starter;
    }

    S get() {
        return Objects.requireNonNull(server, "server");
    }

    @Override
    public void beforeAll(ExtensionContext tests) throws Exception {
        try {
            server = starter.call();
        } catch (TestAbortedException e) {
            missing = e;
        }
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        if (missing != null) {
            throw new TestAbortedException(missing.getMessage());
        }
    }

    @Override
    public void afterAll(ExtensionContext tests) throws Exception {
        if (server != null) {
            server.stop();
        }
    }
}
