package io.skein.bench.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The one method of the service that gRPC is measured by, without a compiler for its description: messages are bytes. */
public final class GrpcHello {
    public static final String SERVICE = "Hello";
    public static final String PATH = SERVICE + "/Say";

    /** What a call asks with. */
    public static final byte[] QUESTION = "say hello".getBytes(US_ASCII);

    private static final int SECONDS = 30;

    public static final MethodDescriptor<byte[], byte[]> SAY = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(PATH)
            .build();

    private GrpcHello() {}

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return message.readAllBytes();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Sees that a server answers; throws an {@link IOException} that says what came instead. */
    public static void check(int port) throws IOException {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .usePlaintext()
                .build();
        try {
            byte[] answer = ClientCalls.blockingUnaryCall(
                    channel, SAY, CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS), QUESTION);
            String text = new String(answer, US_ASCII);
            if (!text.equals(Service.HELLO)) {
                throw new IOException("the answer is '" + text + "'");
            }
        } catch (StatusRuntimeException failure) {
            throw new IOException("the call failed: " + failure.getStatus(), failure);
        } finally {
            channel.shutdownNow();
        }
    }
}
