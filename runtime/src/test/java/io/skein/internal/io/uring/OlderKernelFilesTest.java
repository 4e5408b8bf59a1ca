package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.DriverKind;
import io.skein.Setup;
import io.skein.internal.io.FileTest;
import io.skein.internal.io.FileTree;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of a kernel that lacks what came after Linux 5.11: the portable twin does it. */
@ParameterizedClass(name = "{0}")
@MethodSource("rings")
class OlderKernelFilesTest extends FileTest {
    OlderKernelFilesTest(Setup setup) {
        super(setup);
    }

    static java.util.stream.Stream<Setup> rings() {
        return Setup.all().filter(setup -> setup.driver() == DriverKind.URING);
    }

    @Override
    protected FileTree files() {
        UringBackend backend = (UringBackend) scheduler().backend();
        UringProbe older = probe().without("MKDIRAT", "LINKAT", "SYMLINKAT", "FTRUNCATE");
        assertThat(UringFileTree.isPossible(older)).isTrue();
        return new UringFileTree(backend, scheduler(), older);
    }

    private static UringProbe probe() {
        try {
            return UringProbe.run();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void directoriesAndLinksAreMade() throws Exception {
        Path file = file("hello");
        Path folder = directory.resolve("folder");
        skein.blockOn(() -> {
            FileTree files = files();
            files.createDirectory(folder);
            files.createLink(folder.resolve("link"), file);
            files.createSymbolicLink(folder.resolve("symbolic"), file);
            assertThatExceptionOfType(FileAlreadyExistsException.class)
                    .isThrownBy(() -> files.createDirectory(folder))
                    .withMessage(folder + ": create directory: already exists");
        });
        assertThat(folder.resolve("link")).hasContent("hello");
        assertThat(Files.readSymbolicLink(folder.resolve("symbolic"))).isEqualTo(file);
    }

    @Test
    void filesAreResized() throws Exception {
        Path path = file("hello");

        use(
                path,
                file -> {
                    file.resize(2);
                    file.resize(3);
                },
                WRITE);

        assertThat(Files.readAllBytes(path)).containsExactly('h', 'e', 0);
    }

    @Test
    void aKernelWithoutOpenHasNoFilesOnRings() {
        assertThat(UringFileTree.isPossible(probe().without("OPENAT"))).isFalse();
        assertThat(UringFileTree.isPossible(probe())).isTrue();
    }
}
