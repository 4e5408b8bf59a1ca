package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Setup;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@Setup.OnePerDriver
class LargeFileTest extends FileTest {
    private static final int SIZE = 64 * 1024 * 1024;

    LargeFileTest(Setup setup) {
        super(setup);
    }

    private static ByteBuffer pattern(ByteBuffer buffer) {
        for (int at = 0; at < SIZE; at += Long.BYTES) {
            buffer.putLong(at, at * 0x9E3779B97F4A7C15L);
        }
        return buffer;
    }

    @Test
    void largeBuffersAreWrittenAndReadInOneCall() throws Exception {
        Path path = file("");
        ByteBuffer heap = pattern(ByteBuffer.allocate(SIZE));
        ByteBuffer direct = ByteBuffer.allocateDirect(SIZE);
        use(
                path,
                file -> {
                    file.write(heap, 3);
                    assertThat(file.read(direct, 3)).isEqualTo(SIZE);
                    assertThat(direct.flip().equals(heap.flip())).isTrue();

                    file.write(direct, 0);
                    heap.clear().put(new byte[SIZE]).clear();
                    assertThat(file.read(heap, 0)).isEqualTo(SIZE);
                    assertThat(heap.flip().equals(direct.flip())).isTrue();
                },
                READ,
                WRITE);
        assertThat(Files.size(path)).isEqualTo(SIZE + 3);
    }

    @Test
    void positionsBeyondFourGigabytesAreReached() throws Exception {
        Path path = file("");
        long position = 5L << 30;
        use(
                path,
                file -> {
                    file.write(bytes("hello"), position);
                    ByteBuffer target = ByteBuffer.allocate(10);
                    assertThat(file.read(target, position)).isEqualTo(5);
                    assertThat(text(target)).isEqualTo("hello");
                    assertThat(file.status().size()).isEqualTo(position + 5);
                },
                READ,
                WRITE);
    }
}
