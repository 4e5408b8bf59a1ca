package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.DriverKind;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is stopped for seconds and continued: its calls are broken off, its timers are late, its peers went on. */
@Timeout(120)
class StoppedProcessTest {
    private static final int CLIENTS = 20;
    private static final long STOP_NANOS = 2_000_000_000L;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void aStoppedProcessGoesOnWhereItWas(DriverKind driver) throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (ChildJvm child = new ChildJvm(directory, ":", EchoProgram.class, driver.name())) {
            int port = Integer.parseInt(child.await("port"));
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
                echo(clients.getLast(), i);
            }

            child.signal("STOP");
            Await.until("it is stopped", () -> state(child).startsWith("T"));
            long stopped = System.nanoTime();
            for (int i = 0; i < CLIENTS; i++) {
                clients.get(i).getOutputStream().write(i);
            }
            clients.add(new Socket(InetAddress.getLoopbackAddress(), port)); // the kernel takes it
            clients.getLast().getOutputStream().write(CLIENTS);
            Await.until("seconds have passed", () -> System.nanoTime() - stopped >= STOP_NANOS);
            child.signal("CONT");

            for (int i = 0; i <= CLIENTS; i++) {
                assertThat(clients.get(i).getInputStream().read()).isEqualTo(i);
                echo(clients.get(i), i);
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static void echo(Socket client, int value) throws Exception {
        client.getOutputStream().write(value);
        assertThat(client.getInputStream().read()).isEqualTo(value);
    }

    /** The kernel's word for what the child does. */
    private static String state(ChildJvm child) throws Exception {
        return Files.readAllLines(Path.of("/proc", Long.toString(child.pid()), "status")).stream()
                .filter(line -> line.startsWith("State:"))
                .findFirst()
                .orElse("")
                .substring("State:".length())
                .strip();
    }
}
