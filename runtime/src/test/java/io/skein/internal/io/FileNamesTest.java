package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Setup;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Setup.Each
class FileNamesTest extends FileTest {
    private Path file;
    private Path folder;
    private Path missing;

    FileNamesTest(Setup setup) {
        super(setup);
    }

    @BeforeEach
    void makeNames() throws Exception {
        file = file("hello");
        folder = Files.createDirectory(directory.resolve("folder"));
        missing = directory.resolve("missing");
    }

    private void expect(Class<? extends FileSystemException> failure, String message, ThrowingCallable call)
            throws InterruptedException {
        skein.blockOn(() -> {
            assertThatExceptionOfType(failure).isThrownBy(call).withMessage(message);
        });
    }

    @Test
    void aFileIsDeleted() throws Exception {
        skein.blockOn(() -> files().delete(file));

        assertThat(file).doesNotExist();
    }

    @Test
    void aLinkIsDeletedAndNotItsTarget() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), folder);

        skein.blockOn(() -> files().delete(link));

        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(folder).exists();
    }

    @Test
    void aDirectoryIsNotDeletedAsAFile() throws Exception {
        expect(FileSystemException.class, folder + ": delete: is a directory", () -> files().delete(folder));

        assertThat(folder).exists();
    }

    @Test
    void aFileIsNotDeletedAsADirectory() throws Exception {
        expect(NotDirectoryException.class, file.toString(), () -> files().deleteDirectory(file));

        assertThat(file).exists();
    }

    @Test
    void anEmptyDirectoryIsDeleted() throws Exception {
        skein.blockOn(() -> files().deleteDirectory(folder));

        assertThat(folder).doesNotExist();
    }

    @Test
    void aFullDirectoryIsNotDeleted() throws Exception {
        expect(DirectoryNotEmptyException.class, directory.toString(), () -> files().deleteDirectory(directory));
    }

    @Test
    void whatIsNotThereIsNotDeleted() throws Exception {
        String message = missing + ": delete: no such file or directory";

        expect(NoSuchFileException.class, message, () -> files().delete(missing));
        expect(NoSuchFileException.class, message, () -> files().deleteDirectory(missing));
    }

    @Test
    void aFileIsRenamed() throws Exception {
        Path target = folder.resolve("target");

        skein.blockOn(() -> files().rename(file, target, false));

        assertThat(file).doesNotExist();
        assertThat(target).hasContent("hello");
    }

    @Test
    void renamingReplacesWhatIsThereOnlyIfAsked() throws Exception {
        Path target = Files.writeString(directory.resolve("target"), "old");

        expect(
                FileAlreadyExistsException.class,
                file + " -> " + target + ": rename: already exists",
                () -> files().rename(file, target, false));
        assertThat(target).hasContent("old");

        skein.blockOn(() -> files().rename(file, target, true));
        assertThat(target).hasContent("hello");
    }

    @Test
    void whatIsNotThereIsNotRenamed() throws Exception {
        for (boolean replace : new boolean[] {true, false}) {
            expect(
                    NoSuchFileException.class,
                    missing + " -> " + file + ": rename: no such file or directory",
                    () -> files().rename(missing, file, replace));
        }
        assertThat(file).hasContent("hello");
    }

    @Test
    void aDirectoryIsMade() throws Exception {
        skein.blockOn(() -> files().createDirectory(missing));

        assertThat(missing).isEmptyDirectory();
        assertThat(Files.getPosixFilePermissions(missing)).isEqualTo(Files.getPosixFilePermissions(folder));
    }

    @Test
    void aDirectoryIsNotMadeWhereSomethingIsOrNothing() throws Exception {
        Path below = missing.resolve("below");

        expect(
                FileAlreadyExistsException.class,
                file + ": create directory: already exists",
                () -> files().createDirectory(file));
        expect(
                NoSuchFileException.class,
                below + ": create directory: no such file or directory",
                () -> files().createDirectory(below));
    }

    @Test
    void aLinkIsAnotherNameOfTheSameFile() throws Exception {
        Path link = folder.resolve("link");

        FileStatus status = skein.blockOn(() -> {
            files().createLink(link, file);
            return files().status(link, false);
        });

        assertThat(link).hasContent("hello");
        assertThat(status.links()).isEqualTo(2);
        assertThat(status.inode())
                .isEqualTo(skein.blockOn(() -> files().status(file, false)).inode());
    }

    @Test
    void aLinkNeedsAFileAndAFreeName() throws Exception {
        expect(
                NoSuchFileException.class,
                folder.resolve("a") + " -> " + missing + ": link: no such file or directory",
                () -> files().createLink(folder.resolve("a"), missing));
        expect(
                FileAlreadyExistsException.class,
                folder + " -> " + file + ": link: already exists",
                () -> files().createLink(folder, file));
    }

    @Test
    void aSymbolicLinkHasItsTargetAsGiven() throws Exception {
        Path link = directory.resolve("link");

        skein.blockOn(() -> files().createSymbolicLink(link, Path.of("anywhere/else")));

        assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("anywhere/else"));
    }

    @Test
    void aSymbolicLinkNeedsAFreeName() throws Exception {
        expect(
                FileAlreadyExistsException.class,
                file + ": link: already exists",
                () -> files().createSymbolicLink(file, folder));
    }

    @Test
    void theStatusIsWhatTheJdkSays() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x--x"));

        for (Path path : new Path[] {file, folder, link}) {
            FileStatus status = skein.blockOn(() -> files().status(path, false));

            BasicFileAttributes expected =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            assertThat(status.size()).isEqualTo(expected.size());
            assertThat(status.modified()).isEqualTo(expected.lastModifiedTime().toInstant());
            assertThat(status.accessed()).isEqualTo(expected.lastAccessTime().toInstant());
            assertThat(status.created()).isEqualTo(expected.creationTime().toInstant());
            assertThat(status.inode()).isEqualTo(Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS));
            assertThat(status.device()).isEqualTo(Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS));
        }
        assertThat(skein.blockOn(() -> files().status(file, false)).permissions())
                .isEqualTo(0b110_101_001);
    }

    @Test
    void theStatusOfALinkIsItsOwnOrItsTargets() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), folder);

        skein.blockOn(() -> {
            assertThat(files().status(link, false).kind()).isEqualTo(FileStatus.Kind.SYMBOLIC_LINK);
            assertThat(files().status(link, true)).isEqualTo(files().status(folder, true));
            assertThat(files().status(link, true).kind()).isEqualTo(FileStatus.Kind.DIRECTORY);
            assertThat(files().status(Path.of("/dev/null"), true).kind()).isEqualTo(FileStatus.Kind.OTHER);
        });
    }

    @Test
    void whatIsNotThereHasNoStatus() throws Exception {
        expect(
                NoSuchFileException.class,
                missing + ": status: no such file or directory",
                () -> files().status(missing, true));
    }
}
