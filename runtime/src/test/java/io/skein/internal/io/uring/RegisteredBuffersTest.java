package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.DriverKind;
import io.skein.Setup;
import io.skein.internal.io.FileTest;
import io.skein.internal.io.FileTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Files whose bytes go through memory that the kernel knows. */
@ParameterizedClass(name = "{0}")
@MethodSource("rings")
class RegisteredBuffersTest extends FileTest {
    private UringBackend registering;

    RegisteredBuffersTest(Setup setup) {
        super(setup);
    }

    static Stream<Setup> rings() {
        return Setup.all().filter(setup -> setup.driver() == DriverKind.URING);
    }

    @BeforeEach
    void open() throws IOException {
        registering = UringBackend.open(2, true);
    }

    @AfterEach
    void close() {
        registering.close();
    }

    @Override
    protected FileTree files() {
        try {
            return new UringFileTree(registering, scheduler(), UringProbe.run());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void heapBuffersAreWrittenAndRead() throws Exception {
        Path path = file("");
        byte[] bytes = new byte[3 * NativeBuffers.SIZE + 5];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / 255);
        }
        use(
                path,
                file -> {
                    file.write(ByteBuffer.wrap(bytes), 7);
                    ByteBuffer target = ByteBuffer.allocate(bytes.length);
                    while (target.hasRemaining()) {
                        file.read(target, 7 + target.position());
                    }
                    assertThat(target.array()).isEqualTo(bytes);
                },
                READ,
                WRITE);
    }

    @Test
    void vectorsOfHeapBuffersAndOfMixedOnesAreWrittenAndRead() throws Exception {
        Path path = file("");
        use(
                path,
                file -> {
                    file.write(new ByteBuffer[] {bytes("hello "), bytes("world ")}, 0);
                    file.write(new ByteBuffer[] {bytes("and "), directBytes("all")}, 12);
                    ByteBuffer[] heap = {ByteBuffer.allocate(6), ByteBuffer.allocate(13)};
                    assertThat(file.read(heap, 0)).isEqualTo(19);
                    assertThat(text(heap[0]) + text(heap[1])).isEqualTo("hello world and all");
                    ByteBuffer[] mixed = {ByteBuffer.allocate(6), ByteBuffer.allocateDirect(13)};
                    assertThat(file.read(mixed, 0)).isEqualTo(19);
                    assertThat(text(mixed[0]) + text(mixed[1])).isEqualTo("hello world and all");
                },
                READ,
                WRITE);
    }

    @Test
    void theKernelKnowsTheSlabAndNothingElse() {
        NativeBuffers pool = new NativeBuffers(true);
        NativeBuffers other = new NativeBuffers(true);
        try (LoneDriver driver = new LoneDriver(4, 8, 0)) {
            Long inside = pool.takeForFile();
            Long outside = pool.take();
            boolean first = driver.ask(it -> it.isRegistered(pool, inside));
            assumeTrue(first, "the limit of locked memory is too small");
            boolean again = driver.ask(it -> it.isRegistered(pool, inside + NativeBuffers.SIZE - 1));
            assertThat(again).isTrue();
            boolean elsewhere = driver.ask(it -> it.isRegistered(pool, outside));
            assertThat(elsewhere).isFalse();
            boolean another = driver.ask(it -> it.isRegistered(other, other.takeForFile()));
            assertThat(another).as("of another pool").isFalse();
            pool.giveBack(outside);
        }
        pool.close();
        other.close();
    }
}
