package io.skein.integration;

import io.skein.DriverKind;
import io.skein.examples.WebServer;
import io.skein.net.Server;
import io.skein.net.TcpListener;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The example web server around each test. */
abstract class WebTest extends IntegrationTest {
    private TcpListener listener;
    private Server server;

    WebTest(DriverKind driver) {
        super(driver);
    }

    @BeforeEach
    void serve() throws Exception {
        listener = TcpListener.bind(skein, new InetSocketAddress(ServerProcess.HOST, 0));
        server = skein.blockOn(() -> WebServer.serve(listener));
    }

    @AfterEach
    void stopServing() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    @AfterEach
    void closeRuntime() throws InterruptedException {
        stopServing();
        super.closeRuntime();
    }

    final int port() {
        return listener.localAddress().getPort();
    }

    final String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    final Server server() {
        return server;
    }
}
