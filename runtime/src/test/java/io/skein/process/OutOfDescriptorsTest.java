package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.DriverKind;
import io.skein.Skein;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that has no descriptor for the next connection: its listener waits, says so once, and goes on. */
@Timeout(120)
class OutOfDescriptorsTest {
    private static final String LIMIT = "ulimit -n 200";

    @TempDir
    private Path directory;

    private ChildJvm start(DriverKind driver) throws IOException {
        String classes = ChildJvm.root(Skein.class).toString();
        return new ChildJvm(directory, LIMIT, FewDescriptors.class, driver.name(), classes);
    }

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void aListenerWithoutDescriptorsWaitsAndGoesOn(DriverKind driver) throws Exception {
        try (ChildJvm child = start(driver)) {
            int port = Integer.parseInt(child.await("port"));
            for (int shortage = 0; shortage < 2; shortage++) {
                try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    child.await("WARNING: accept"); // it has met the limit, now or before
                    assertThat(client.getInputStream().available()).isZero();

                    child.tell("release");

                    assertThat(client.getInputStream().read()).isEqualTo('!');
                }
                child.tell("hoard");
                child.await("done hoard");
            }
            assertThat(child.lines().stream().filter(line -> line.contains("too many open files")))
                    .as("what the log says")
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void aListenerThatWaitsForDescriptorsCanBeClosed(DriverKind driver) throws Exception {
        try (ChildJvm child = start(driver);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(child.await("port")))) {
            child.await("WARNING: accept");

            child.tell("close");

            assertThat(child.await("ended")).contains("closed");
            assertThat(client.isConnected()).isTrue();
        }
    }
}
