package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Setup;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is done to an open file besides reading and writing it. */
@Setup.Each
class FileSizeTest extends FileTest {
    FileSizeTest(Setup setup) {
        super(setup);
    }

    @Test
    void aFileIsCut() throws Exception {
        Path path = file("hello world");

        use(path, file -> file.resize(5), WRITE);

        assertThat(path).hasContent("hello");
    }

    @Test
    void aFileIsFilledUpWithZeros() throws Exception {
        Path path = file("ab");

        use(
                path,
                file -> {
                    file.resize(2);
                    file.resize(5);
                },
                WRITE);

        assertThat(Files.readAllBytes(path)).containsExactly('a', 'b', 0, 0, 0);
    }

    @Test
    void allocatingMakesAFileLongerAndKeepsItsContent() throws Exception {
        Path path = file("ab");

        use(
                path,
                file -> {
                    file.allocate(1, 3);
                    assertThat(file.status().size()).isEqualTo(4);
                    file.allocate(0, 1);
                },
                WRITE);

        assertThat(Files.readAllBytes(path)).containsExactly('a', 'b', 0, 0);
    }

    @Test
    void syncingAndAdvisingChangeNothing() throws Exception {
        Path path = file("hello");

        use(
                path,
                file -> {
                    file.sync(true);
                    file.sync(false);
                    for (Advice advice : Advice.values()) {
                        file.advise(0, 0, advice);
                        file.advise(0, 1L << 40, advice);
                    }
                },
                WRITE);

        assertThat(path).hasContent("hello");
    }

    @Test
    void theStatusOfAnOpenFileIsThatOfItsPath() throws Exception {
        Path path = file("hello");

        use(path, file -> {
            FileStatus status = file.status();
            assertThat(status).isEqualTo(files().status(path, true));
            assertThat(status.kind()).isEqualTo(FileStatus.Kind.REGULAR);
            assertThat(status.size()).isEqualTo(5);
        });
    }

    @Test
    void aPartOfAFileIsCopiedToAnother() throws Exception {
        Path source = file("hello world");
        Path target = Files.writeString(directory.resolve("target"), "............");

        use(
                source,
                from -> use(
                        target, to -> assertThat(from.transferTo(6, 5, to, 3)).isEqualTo(5), WRITE));

        assertThat(target).hasContent("...world....");
    }

    @Test
    void aCopyEndsAtTheEndOfTheFile() throws Exception {
        Path source = file("hello");
        Path target = Files.createFile(directory.resolve("target"));

        use(
                source,
                from -> use(
                        target,
                        to -> {
                            assertThat(from.transferTo(3, 1000, to, 0)).isEqualTo(2);
                            assertThat(from.transferTo(5, 1000, to, 0)).isZero();
                            assertThat(from.transferTo(0, 0, to, 0)).isZero();
                        },
                        WRITE));

        assertThat(target).hasContent("lo");
    }

    @Test
    void aCopyIsNotAppended() throws Exception {
        use(
                file("hello"),
                from -> use(
                        directory.resolve("file"),
                        to -> assertThatIllegalArgumentException().isThrownBy(() -> from.transferTo(0, 5, to, 0)),
                        StandardOpenOption.APPEND));
    }

    @Test
    void aLongFileIsCopied() throws Exception {
        byte[] content = new byte[1_000_003];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31 + i / 1000);
        }
        Path source = Files.write(directory.resolve("source"), content);
        Path target = directory.resolve("target");

        skein.blockOn(() -> {
            FileHandle from = files().open(source, Set.of());
            FileHandle to = files().open(target, Set.of(WRITE, CREATE));
            assertThat(from.transferTo(0, Long.MAX_VALUE, to, 0)).isEqualTo(content.length);
            from.close();
            to.close();
        });

        assertThat(Files.readAllBytes(target)).isEqualTo(content);
    }

    @Test
    void whatIsWrittenThroughOneHandleIsReadThroughAnother() throws Exception {
        Path path = file("");
        use(
                path,
                writer -> use(path, reader -> {
                    writer.write(bytes("hello"), 0);
                    ByteBuffer target = ByteBuffer.allocate(5);
                    reader.read(target, 0);
                    assertThat(text(target)).isEqualTo("hello");
                }),
                WRITE);
    }
}
