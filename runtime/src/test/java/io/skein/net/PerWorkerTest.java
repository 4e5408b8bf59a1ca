package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Setup;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener for each worker, on one port. */
@Setup.OnePerDriver
class PerWorkerTest extends NetworkTest {
    PerWorkerTest(Setup setup) {
        super(setup);
    }

    @Test
    void theKernelSpreadsConnectionsOverTheListenersOfThePort() throws Exception {
        List<TcpListener> listeners = TcpListener.builder().bindPerWorker(skein, LOOPBACK);
        assertThat(listeners).hasSize(skein.workers());
        InetSocketAddress address = listeners.getFirst().localAddress();
        assertThat(listeners).allMatch(listener -> listener.localAddress().equals(address));
        List<Coroutine<?>> servers = new ArrayList<>();
        for (int worker = 0; worker < listeners.size(); worker++) {
            TcpListener listener = listeners.get(worker);
            servers.add(skein.spawnOn(worker, () -> serve(listener)));
        }
        skein.blockOn(() -> {
            for (int i = 0; i < 100; i++) {
                try (TcpStream client = TcpStream.connect(address)) {
                    assertThat(receive(client, 5)).isEqualTo("hello");
                }
            }
        });
        listeners.forEach(TcpListener::close);
        for (Coroutine<?> server : servers) {
            server.join();
        }
    }

    private static void serve(TcpListener listener) throws Exception {
        while (true) {
            try (TcpStream stream = listener.accept()) {
                send(stream, "hello");
            } catch (SocketException closed) {
                return;
            }
        }
    }

    @Test
    void anAddressInUseIsBoundByNone() throws Exception {
        try (TcpListener used = listen()) {
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> TcpListener.builder().bindPerWorker(skein, used.localAddress()));
        }
    }
}
