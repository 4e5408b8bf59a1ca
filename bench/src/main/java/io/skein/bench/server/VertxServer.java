package io.skein.bench.server;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Vert.x with the native transport that it prefers: a verticle on each event loop, and all share the port. */
final class VertxServer implements Server {
    private static final String HOST = "127.0.0.1";

    private final Vertx vertx;
    private final int port;
    private final int loops;

    private VertxServer(Setting setting) throws IOException {
        loops = setting.workers();
        port = freePort();
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true));
        await(vertx.deployVerticle(() -> new Serving(setting, port), new DeploymentOptions().setInstances(loops)));
    }

    static VertxServer start(Setting setting) throws IOException {
        if (setting.service() != Service.HTTP) {
            setting.requireEcho();
        }
        return new VertxServer(setting);
    }

    /** Verticles share a port that they know, so it cannot be left to the kernel to choose one for each. */
    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private static void await(Future<?> future) {
        Object _ = future.toCompletionStage().toCompletableFuture().join();
    }

    private static final class Serving extends VerticleBase {
        private final Setting setting;
        private final int port;

        Serving(Setting setting, int port) {
            this.setting = setting;
            this.port = port;
        }

        @Override
        public Future<?> start() {
            if (setting.service() == Service.HTTP) {
                return vertx.createHttpServer()
                        .requestHandler(request -> request.response().end(Service.HELLO))
                        .listen(port, HOST);
            }
            NetServerOptions options =
                    new NetServerOptions().setTcpNoDelay(true).setAcceptBacklog(BACKLOG);
            return vertx.createNetServer(options).connectHandler(this::echo).listen(port, HOST);
        }

        private void echo(NetSocket connection) {
            Computing work = setting.work();
            connection.handler(bytes -> {
                work.run();
                Future<Void> _ = connection.write(bytes);
            });
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String describe() {
        String version = Vertx.class.getPackage().getImplementationVersion();
        String loopText = loops == 1 ? "one event loop" : loops + " event loops";
        return "Vert.x " + (version == null ? "5" : version) + ", "
                + (vertx.isNativeTransportEnabled() ? "native transport, " : "nio, ") + loopText;
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
