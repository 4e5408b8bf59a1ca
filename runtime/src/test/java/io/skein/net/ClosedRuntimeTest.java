package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Setup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Streams and listeners whose runtime is gone: an exception, never a wait without an end. */
@Setup.Each
class ClosedRuntimeTest extends NetworkTest {
    ClosedRuntimeTest(Setup setup) {
        super(setup);
    }

    @Test
    void aStreamOfAClosedRuntimeNeitherReadsNorWrites() throws Exception {
        try (Pair pair = pair()) {
            skein.close();

            assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .isInstanceOfAny(IOException.class, RejectedExecutionException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> send(pair.client(), "too late"))
                    .isInstanceOfAny(IOException.class, RejectedExecutionException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void aListenerOfAClosedRuntimeDoesNotAccept() throws Exception {
        try (TcpListener listener = listen()) {
            skein.close();

            assertThatThrownBy(listener::accept)
                    .isInstanceOfAny(IOException.class, RejectedExecutionException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void onAClosedRuntimeNothingIsBoundOrConnected() throws Exception {
        skein.close();

        try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK.getAddress())) {
            assertThatThrownBy(() -> TcpListener.bind(skein, LOOPBACK))
                    .isInstanceOfAny(IOException.class, RejectedExecutionException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> TcpStream.connect(skein, (InetSocketAddress) server.getLocalSocketAddress()))
                    .isInstanceOfAny(IOException.class, RejectedExecutionException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void whatWasLeftOpenIsClosedWithTheRuntime() throws Exception {
        TcpListener listener = listen();
        try (Socket peer = new Socket()) {
            peer.setSoTimeout(30_000);
            peer.connect(listener.localAddress());
            TcpStream stream = listener.accept();
            assertThat(stream.remoteAddress()).isEqualTo(peer.getLocalSocketAddress());

            skein.close();

            assertThat(peer.getInputStream().read()).as("the peer sees the end").isEqualTo(-1);
        }
    }
}
