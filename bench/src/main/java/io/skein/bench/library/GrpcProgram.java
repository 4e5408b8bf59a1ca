package io.skein.bench.library;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.skein.bench.server.GrpcHello;
import io.skein.bench.server.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.logging.Level;
import java.util.logging.Logger;

/** gRPC: Netty's event loops do the I/O, and hand each call to the executor. */
final class GrpcProgram implements LibraryServer.Program {
    private static final byte[] HELLO = Service.HELLO.getBytes(US_ASCII);

    /** Kept, or its level would be forgotten. It tells of connections that are closed in the middle of a call, as h2load does. */
    private static final Logger LOGGER = Logger.getLogger("io.grpc");

    private final Server server;

    GrpcProgram(Threads threads) throws IOException {
        LOGGER.setLevel(Level.OFF);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .executor(threads.executor())
                .addService(ServerServiceDefinition.builder(GrpcHello.SERVICE)
                        .addMethod(GrpcHello.SAY, ServerCalls.asyncUnaryCall(GrpcProgram::say))
                        .build())
                .build()
                .start();
    }

    private static void say(byte[] question, StreamObserver<byte[]> answers) {
        answers.onNext(HELLO);
        answers.onCompleted();
    }

    @Override
    public int port() {
        return server.getPort();
    }

    @Override
    public String describe() {
        return LibraryServer.nameOf(NettyServerBuilder.class);
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow();
        server.awaitTermination();
    }
}
