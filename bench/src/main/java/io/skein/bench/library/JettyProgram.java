package io.skein.bench.library;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.skein.bench.server.Service;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty: threads of its own accept and select, and hand each request to a virtual thread. */
final class JettyProgram implements LibraryServer.Program {
    private static final ByteBuffer HELLO = ByteBuffer.wrap(Service.HELLO.getBytes(US_ASCII));
    private static final int OK = 200;

    private final Server server;
    private final ServerConnector connector;

    /** It may block, as a handler does unless it says otherwise; so it is run by a virtual thread. */
    private static final class Hello extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.setStatus(OK);
            response.write(true, HELLO.duplicate(), callback);
            return true;
        }
    }

    JettyProgram(Threads threads) throws Exception {
        QueuedThreadPool pool = new QueuedThreadPool();
        pool.setVirtualThreadsExecutor(threads.executor());
        server = new Server(pool);
        connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setAcceptQueueSize(io.skein.bench.server.Server.BACKLOG);
        server.addConnector(connector);
        server.setHandler(new Hello());
        server.start();
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public String describe() {
        return "Jetty " + Server.getVersion();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
