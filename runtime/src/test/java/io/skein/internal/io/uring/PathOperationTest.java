package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathOperationTest {
    @TempDir
    private Path directory;

    @Test
    void aPathIsItsBytes() {
        assertThat(PathOperation.bytes(Path.of("/a/b c"))).isEqualTo("/a/b c".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theEmptyPathIsTheWorkingDirectory() {
        assertThat(PathOperation.bytes(Path.of(""))).isEqualTo(new byte[] {'.'});
    }

    @Test
    void aNameThatIsNoTextIsRefusedRatherThanMistaken() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "touch \"$(printf 'a\\377')\"")
                .directory(directory.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        try (Stream<Path> names = Files.list(directory)) {
            Path name = names.findFirst().orElseThrow();

            assertThatExceptionOfType(InvalidPathException.class).isThrownBy(() -> PathOperation.bytes(name));
        }
    }

    @Test
    void aPathOfAnotherFileSystemIsRefused() throws Exception {
        URI archive = URI.create("jar:" + directory.resolve("a.zip").toUri());
        try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            assertThatExceptionOfType(ProviderMismatchException.class)
                    .isThrownBy(() -> PathOperation.bytes(zip.getPath("a")));
        }
    }
}
