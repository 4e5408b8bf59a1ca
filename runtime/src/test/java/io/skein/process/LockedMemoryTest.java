package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.io.uring.LittleLockedMemory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A limit of locked memory that is too small for registered buffers: files go on without. */
@Timeout(120)
class LockedMemoryTest {
    @TempDir
    private Path directory;

    @Test
    void whereBuffersCannotBeRegisteredFilesAreReadAndWrittenAllTheSame() throws Exception {
        Path file = directory.resolve("file");
        try (ChildJvm child = new ChildJvm(directory, "ulimit -l 768", LittleLockedMemory.class, file.toString())) {
            assertThat(child.await("registered")).isEqualTo("false");
            assertThat(child.await("read")).isEqualTo("hello");
        }
    }
}
