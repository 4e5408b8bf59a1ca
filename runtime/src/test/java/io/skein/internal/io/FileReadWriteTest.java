package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Coroutine;
import io.skein.Setup;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Setup.Each
class FileReadWriteTest extends FileTest {
    FileReadWriteTest(Setup setup) {
        super(setup);
    }

    @Test
    void aReadFillsTheBufferFromThePosition() throws Exception {
        use(file("hello world"), file -> {
            for (ByteBuffer target : buffers(5)) {
                assertThat(file.read(target, 6)).isEqualTo(5);
                assertThat(text(target)).isEqualTo("world");
            }
        });
    }

    @Test
    void aReadTouchesNothingOutsideOfPositionAndLimit() throws Exception {
        use(file("hello"), file -> {
            for (ByteBuffer target : buffers(12)) {
                assertThat(file.read(target.position(2).limit(5), 0)).isEqualTo(3);
                assertThat(target.position()).isEqualTo(5);
                assertThat(target.limit()).isEqualTo(5);
                assertThat(text(target.clear().position(12))).isEqualTo("\0\0hel\0\0\0\0\0\0\0");
            }
        });
    }

    @Test
    void aReadAcrossTheEndOfTheFileIsShort() throws Exception {
        use(file("hello"), file -> {
            for (ByteBuffer target : buffers(100)) {
                assertThat(file.read(target, 3)).isEqualTo(2);
                assertThat(text(target)).isEqualTo("lo");
            }
        });
    }

    @Test
    void aReadAtOrBehindTheEndOfTheFileReturnsMinusOne() throws Exception {
        use(file("hello"), file -> {
            for (ByteBuffer target : buffers(10)) {
                assertThat(file.read(target, 5)).isEqualTo(-1);
                assertThat(file.read(target, 1L << 40)).isEqualTo(-1);
                assertThat(target.position()).isZero();
            }
        });
    }

    @Test
    void aBufferWithoutRoomReadsNothing() throws Exception {
        use(file("hello"), file -> {
            for (ByteBuffer target : buffers(0)) {
                assertThat(file.read(target, 0)).isZero();
                assertThat(file.read(target, 5)).isZero();
            }
        });
    }

    @Test
    void aReadOnlyBufferIsNoTarget() throws Exception {
        use(file("hello"), file -> {
            ByteBuffer target = ByteBuffer.allocate(5).asReadOnlyBuffer();
            assertThatExceptionOfType(ReadOnlyBufferException.class).isThrownBy(() -> file.read(target, 0));
            assertThatExceptionOfType(ReadOnlyBufferException.class)
                    .isThrownBy(() -> file.read(new ByteBuffer[] {target}, 0));
        });
    }

    @Test
    void aWritePutsEveryKindOfBufferAtItsPosition() throws Exception {
        Path path = file("..........");
        List<ByteBuffer> sources = List.of(
                bytes("ab"),
                directBytes("cd"),
                bytes("ef").asReadOnlyBuffer(),
                directBytes("gh").asReadOnlyBuffer());

        use(
                path,
                file -> {
                    for (int i = 0; i < sources.size(); i++) {
                        file.write(sources.get(i), 1 + 2L * i);
                        assertThat(sources.get(i).hasRemaining()).isFalse();
                    }
                },
                WRITE);

        assertThat(path).hasContent(".abcdefgh.");
    }

    @Test
    void aWriteBehindTheEndLeavesZerosBetween() throws Exception {
        Path path = file("a");

        use(path, file -> file.write(bytes("z"), 4), WRITE);

        assertThat(Files.readAllBytes(path)).containsExactly('a', 0, 0, 0, 'z');
    }

    @Test
    void writingNothingChangesNothing() throws Exception {
        Path path = file("hello");

        use(path, file -> file.write(ByteBuffer.allocate(0), 100), WRITE);

        assertThat(path).hasContent("hello");
    }

    @Test
    void whatIsAppendedGoesToTheEndWhateverThePosition() throws Exception {
        Path path = file("hello");

        use(path, file -> file.write(bytes(" world"), 0), StandardOpenOption.APPEND);

        assertThat(path).hasContent("hello world");
    }

    @Test
    void severalBuffersAreFilledOneAfterTheOther() throws Exception {
        use(file("hello world"), file -> {
            ByteBuffer[] targets = {
                ByteBuffer.allocate(2),
                ByteBuffer.allocate(0),
                ByteBuffer.allocateDirect(3),
                ByteBuffer.allocateDirect(2).slice(1, 1),
                ByteBuffer.allocate(100)
            };

            assertThat(file.read(targets, 1)).isEqualTo(10);

            assertThat(targets).extracting(FileTest::text).containsExactly("el", "", "lo ", "w", "orld");
            assertThat(file.read(targets, 11)).isEqualTo(-1);
        });
    }

    @Test
    void severalBuffersAreWrittenOneAfterTheOther() throws Exception {
        Path path = file("");
        ByteBuffer[] sources = {
            bytes("he"), directBytes("ll"), ByteBuffer.allocate(0), bytes("o ").asReadOnlyBuffer(), directBytes("world")
        };

        use(path, file -> file.write(sources, 3), WRITE);

        assertThat(path).hasContent("\0\0\0hello world");
        assertThat(sources).noneMatch(ByteBuffer::hasRemaining);
    }

    @Test
    void moreAndLongerBuffersThanOneCallTakesAreWrittenAndRead() throws Exception {
        Path path = file("");
        ByteBuffer[] sources = new ByteBuffer[300];
        ByteBuffer[] targets = new ByteBuffer[300];
        for (int i = 0; i < sources.length; i++) {
            int size = i % 10 == 0 ? 100_000 : i;
            sources[i] = i % 3 == 0 ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            targets[i] = i % 2 == 0 ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            for (int at = 0; at < size; at++) {
                sources[i].put(at, (byte) (i * 31 + at * 7));
            }
        }

        use(
                path,
                file -> {
                    file.write(sources, 0);
                    long written = Files.size(path);
                    assertThat(file.read(targets, 0)).isEqualTo(written);
                },
                READ,
                WRITE);

        for (int i = 0; i < sources.length; i++) {
            assertThat(targets[i].flip()).as("buffer %d", i).isEqualTo(sources[i].flip());
        }
    }

    @Test
    void noBuffersAreNoBytes() throws Exception {
        use(
                file("hello"),
                file -> {
                    assertThat(file.read(new ByteBuffer[0], 0)).isZero();
                    file.write(new ByteBuffer[0], 0);
                },
                READ,
                WRITE);
    }

    @Test
    void theMemoryOfACoroutinesOwnArenaIsReadAndWritten() throws Exception {
        Path path = file("");
        use(
                path,
                file -> {
                    try (Arena arena = Arena.ofConfined()) {
                        file.write(
                                arena.allocate(5)
                                        .asByteBuffer()
                                        .put(bytes("hello"))
                                        .flip(),
                                0);
                        ByteBuffer target = arena.allocate(5).asByteBuffer();
                        assertThat(file.read(target, 0)).isEqualTo(5);
                        assertThat(text(target)).isEqualTo("hello");
                    }
                },
                READ,
                WRITE);
    }

    @Test
    void manyCoroutinesUseOneFileAtOnce() throws Exception {
        Path path = file("");
        use(
                path,
                file -> {
                    List<Coroutine<?>> writers = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                        long position = i * 10L;
                        ByteBuffer source = i % 2 == 0 ? bytes("0123456789") : directBytes("0123456789");
                        writers.add(skein.spawn("writer", () -> {
                            file.write(source, position);
                            ByteBuffer back = ByteBuffer.allocate(10);
                            file.read(back, position);
                            return text(back);
                        }));
                    }
                    for (Coroutine<?> writer : writers) {
                        assertThat(writer.join()).isEqualTo("0123456789");
                    }
                },
                READ,
                WRITE);
        assertThat(path).hasContent("0123456789".repeat(100));
    }

    @Test
    void aNegativePositionIsRefused() throws Exception {
        use(
                file("hello"),
                file -> {
                    assertThatIllegalArgumentException().isThrownBy(() -> file.read(ByteBuffer.allocate(1), -1));
                    assertThatIllegalArgumentException().isThrownBy(() -> file.write(bytes("a"), -1));
                    assertThatIllegalArgumentException().isThrownBy(() -> file.resize(-1));
                    assertThatIllegalArgumentException().isThrownBy(() -> file.allocate(0, Long.MIN_VALUE));
                    assertThatIllegalArgumentException().isThrownBy(() -> file.allocate(Long.MAX_VALUE, 2));
                },
                READ,
                WRITE);
    }

    @Test
    void whatWasOpenedForReadingIsNotWritten() throws Exception {
        use(
                file("hello"),
                file -> {
                    assertThatExceptionOfType(NonWritableChannelException.class)
                            .isThrownBy(() -> file.write(bytes("a"), 0));
                    assertThatExceptionOfType(NonWritableChannelException.class).isThrownBy(() -> file.resize(0));
                    assertThatExceptionOfType(NonWritableChannelException.class).isThrownBy(() -> file.allocate(0, 10));
                },
                READ);
    }

    @Test
    void whatWasOpenedForWritingIsNotRead() throws Exception {
        use(
                file("hello"),
                file -> assertThatExceptionOfType(NonReadableChannelException.class)
                        .isThrownBy(() -> file.read(ByteBuffer.allocate(1), 0)),
                WRITE);
    }

    @Test
    void readingADirectoryFailsAndNamesIt() throws Exception {
        use(
                directory,
                file -> assertThatExceptionOfType(FileSystemException.class)
                        .isThrownBy(() -> file.read(ByteBuffer.allocate(1), 0))
                        .withMessage(directory + ": read: is a directory"));
    }

    @Test
    void aFullDeviceFailsAndSaysSo() throws Exception {
        use(
                Path.of("/dev/full"),
                file -> {
                    for (ByteBuffer source : List.of(bytes("hello"), directBytes("hello"))) {
                        assertThatExceptionOfType(FileSystemException.class)
                                .isThrownBy(() -> file.write(source, 0))
                                .withMessage("/dev/full: write: no space left on device");
                        assertThat(source.remaining()).isEqualTo(5);
                    }
                },
                WRITE);
    }
}
